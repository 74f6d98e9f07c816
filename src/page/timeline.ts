/** What a search spent its time with: each moment counts once. */
import type { Step, Trace } from '../types.ts'

export type Activity = 'your words' | 'deciding' | 'language model' | 'searches' | 're-ranking' | 'the rest'

/** In the order in which they usually happen, with those that have happened. */
const activities = ['your words', 'deciding', 'language model', 'searches', 're-ranking', 'the rest'] as const

export function timelineOf({
  steps,
  times,
}: Pick<Trace, 'steps' | 'times'>): { readonly name: Activity; readonly ms: number }[] {
  const spans = steps.flatMap((step) => {
    const name = activityOf(step)
    return name === undefined || !('ms' in step)
      ? []
      : [{ name, from: step.startMs, to: step.startMs + step.ms }]
  })
  if (times.deciding > 0) spans.push({ name: 'deciding', from: 0, to: times.deciding })
  const edges = [0, times.total, ...spans.flatMap(({ from, to }) => [from, to])]
    .filter((edge) => edge <= times.total)
    .toSorted((one, other) => one - other)
  const spent = new Map<Activity, number>()
  for (const [at, from] of edges.entries()) {
    const to = edges[at + 1] ?? from
    // While the first request is under way nothing else is; prompts and requests are part of deciding.
    const under = spans.filter((span) => span.from <= from && span.to >= to).map(({ name }) => name)
    const name = priority.find((one) => under.includes(one)) ?? 'the rest'
    spent.set(name, (spent.get(name) ?? 0) + to - from)
  }
  return activities.flatMap((name) => {
    const ms = spent.get(name) ?? 0
    return ms > 0 ? [{ name, ms }] : []
  })
}

const priority = ['your words', 'searches', 're-ranking', 'language model', 'deciding'] as const

function activityOf(step: Step): Activity | undefined {
  switch (step.type) {
    case 'retrieve':
      return step.round === 0 ? 'your words' : 'searches'
    case 'ask':
      return 'language model'
    case 'rerank':
      return 're-ranking'
    default:
      return undefined
  }
}
