/** What a search spent its time with: each moment counts once. */
import type { Step, Trace } from '../types.ts'

/** In the order in which they usually happen. */
const activities = ['your words', 'deciding', 'language model', 'searches', 're-ranking', 'the rest'] as const
type Activity = (typeof activities)[number]

/** Which of those that are under way counts: while the first request is, nothing else; prompts and requests are part of deciding. */
const priority = ['your words', 'searches', 're-ranking', 'language model', 'deciding'] as const

export function timelineOf({ steps, times }: Pick<Trace, 'steps' | 'times'>) {
  const spans = [
    { name: 'deciding', from: 0, to: times.deciding },
    ...steps.flatMap((step) =>
      'ms' in step ? [{ name: activityOf(step), from: step.startMs, to: step.startMs + step.ms }] : [],
    ),
  ]
  const edges = [0, times.total, ...spans.flatMap(({ from, to }) => [from, to])]
    .filter((edge) => edge <= times.total)
    .toSorted((one, other) => one - other)
  const spent = new Map<Activity, number>()
  for (const [at, from] of edges.entries()) {
    const to = edges[at + 1] ?? from
    const under = spans.filter((span) => span.from <= from && span.to >= to).map(({ name }) => name)
    const name = priority.find((one) => under.includes(one)) ?? 'the rest'
    spent.set(name, (spent.get(name) ?? 0) + to - from)
  }
  return activities.map((name) => ({ name, ms: spent.get(name) ?? 0 })).filter(({ ms }) => ms > 0)
}

function activityOf(step: Step): Activity {
  if (step.type === 'retrieve') return step.round === 0 ? 'your words' : 'searches'
  if (step.type === 'ask') return 'language model'
  return step.type === 'rerank' ? 're-ranking' : 'the rest'
}
