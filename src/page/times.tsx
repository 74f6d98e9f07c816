/** When each step began and how long it took, as a waterfall. */
import type { Step } from '../types.ts'
import type { SearchView } from './view.ts'
import { milliseconds } from './words.ts'

interface Bar {
  readonly name: string
  readonly kind: 'searching' | 'deciding' | 'fusing' | 'reranking'
  readonly startMs: number
  readonly ms: number
}

export function Times({ view: { trace } }: { readonly view: SearchView }) {
  if (trace === undefined) return null
  const bars = barsOf(trace.steps, trace.times.deciding)
  // A step that was abandoned may end after the search.
  const whole = Math.max(trace.times.total, ...bars.map(({ startMs, ms }) => startMs + ms), 0.001)
  return (
    <section class="times">
      <h3>
        Times <span class="soft">{milliseconds(trace.times.total)} in all</span>
      </h3>
      <ol>
        {bars.map(({ name, kind, startMs, ms }) => (
          <li key={`${name} ${startMs}`}>
            <span class="name">{name}</span>
            <span class="ms">{milliseconds(ms)}</span>
            <span class="track" aria-hidden="true">
              <i
                class={kind}
                style={{ left: `${(100 * startMs) / whole}%`, width: `${(100 * ms) / whole}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** In the order of their beginnings. */
function barsOf(steps: readonly Step[], deciding: number): Bar[] {
  const bars = steps.flatMap((step) => barOf(step) ?? [])
  if (deciding > 0) bars.push({ name: 'Until the decision', kind: 'deciding', startMs: 0, ms: deciding })
  return bars.toSorted((one, other) => one.startMs - other.startMs)
}

function barOf(step: Step): Bar | undefined {
  switch (step.type) {
    case 'retrieve':
      return { name: `Request ${step.round + 1}`, kind: 'searching', startMs: step.startMs, ms: step.ms }
    case 'ask':
      return { name: `Prompt “${step.prompt}”`, kind: 'deciding', startMs: step.startMs, ms: step.ms }
    case 'fuse':
      return { name: 'Fusing', kind: 'fusing', startMs: step.startMs, ms: step.ms }
    case 'rerank':
      return { name: 'Re-ranking', kind: 'reranking', startMs: step.startMs, ms: step.ms }
    case 'decide':
    case 'filter':
    case 'fallback':
      return undefined
  }
}
