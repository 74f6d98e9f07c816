/** Plots as SVG in the page, drawn by Apache ECharts without a browser. */
import type { EChartsOption } from 'echarts'
import { QuerentError } from '../../errors.ts'
import { escapeHtml, type Html, withoutControls } from './html.ts'

export interface Plot {
  /** Lower-case letters, digits and `-`; no other plot of the page has it. */
  readonly name: string
  /** What the plot shows, for those who cannot see it. */
  readonly label: string
  /** Its own pixels; in the page it is as wide as its place. */
  readonly width: number
  readonly height: number
  /** Colors may be CSS variables of the page, so that one plot serves light and dark. */
  readonly option: EChartsOption
  /** What is shown when the pointer rests on a datum. */
  readonly tooltip?: (series: number, datum: number) => string | undefined
}

export type Draw = (plot: Plot) => Html

/**
 * Loads the plotting library.
 *
 * @throws QuerentError `missing-package`
 */
export async function loadPlots(): Promise<Draw> {
  const { init } = await import('echarts').catch((cause: unknown) => {
    throw new QuerentError('missing-package', 'The plots of a report are drawn by the package echarts', {
      remedy: 'Install it: npm install echarts',
      cause,
    })
  })
  return ({ name, label, width, height, option, tooltip }) => {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
    try {
      chart.setOption({ ...option, animation: false, textStyle: { fontFamily: 'inherit' } })
      return { markup: toInline(chart.renderToSVGString(), name, label, tooltip) }
    } finally {
      chart.dispose()
    }
  }
}

/** ECharts' document as a part of a page: no style that reaches out of it, no id twice, the same for the same plot. */
function toInline(svg: string, name: string, label: string, tooltip: Plot['tooltip']): string {
  return withoutControls(svg)
    .replace(/<style[\s\S]*?<\/style>\s*/, '')
    .replace('<svg ', `<svg role="img" aria-label="${escapeHtml(label)}" `)
    .replace(/ class="zr\d+-cls-\d+"/g, '')
    .replace(/\bzr\d+-/g, `${name}-`)
    .replace(/<path [^>]*ecmeta_data_index[^>]*>/g, (path) => {
      const [series, datum] = ['series', 'data'].map((kind) =>
        Number(new RegExp(`ecmeta_${kind}_index="(\\d+)"`).exec(path)?.[1]),
      )
      const text = tooltip?.(series!, datum!)
      return text === undefined ? path : `${path}<title>${escapeHtml(text)}</title>`
    })
    .replace(/ ecmeta_\w+="[^"]*"/g, '')
}
