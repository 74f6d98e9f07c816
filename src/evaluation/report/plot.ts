/** Draws plots as inline SVG with Apache ECharts, without a browser. */
import type { EChartsOption } from 'echarts'
import { QuerentError } from '../../errors.ts'
import { withoutControls } from '../../text/controls.ts'
import { escapeHtml, type Html } from './html.ts'

export interface Plot {
  /** Lower-case letters, digits and `-`. Unique in the page. */
  readonly name: string
  /** The text alternative of the plot. */
  readonly label: string
  /** The width in pixels. The page scales the plot to its container. */
  readonly width: number
  readonly height: number
  /** Colors may be CSS variables of the page, so one plot serves light and dark mode. */
  readonly option: EChartsOption
  /** The tooltip of a datum. */
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

/**
 * Turns the SVG document of ECharts into inline SVG: without global styles, with unique ids, and with the same bytes for the
 * same plot.
 */
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
