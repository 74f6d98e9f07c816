import { type Considered, consideredIn } from '../../../policies/local/considered.ts'
import type { LegTrace, Trace } from '../../types.ts'
import { formatDuration } from './duration.ts'
import { clip } from './truncate.ts'

/** That the query was searched as it is against the policy's will, and why; nothing where that is not so. */
export function describeFallback({ fallback }: Trace): string[] {
  return fallback === undefined ? [] : [`fell back to the query as it is: ${fallback.message}`]
}

/** What was decided, searched and missed, for people: a line each. */
export function describeDecision(trace: Trace): string[] {
  const { kind, reason, times, fallback, policy, tokens } = trace
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const spent = tokens.prompt + tokens.completion
  return [
    ...(fallback === undefined ? [`${policy}: ${kind} (${reason})`] : describeFallback(trace)),
    ...describeSubQueries(trace),
    ...legs.filter(({ status }) => status !== 'ok').map(describeMissing),
    `${legs.length} ${legs.length === 1 ? 'leg' : 'legs'} in ${formatDuration(times.total)}` +
      `${spent > 0 ? `, ${spent} tokens` : ''}`,
  ]
}

/** The sub-queries that vote, and in one line those that only bring documents to re-rank. */
function describeSubQueries(trace: Trace): string[] {
  const { kind, subQueries, steps } = trace
  const voting = kind === 'as-is' ? [] : subQueries.map(({ text }) => text)
  const asked = steps.flatMap((step) => (step.type === 'retrieve' && step.round > 0 ? step.legs : []))
  const others = new Set(asked.map(({ subQuery }) => subQuery.text).filter((text) => !voting.includes(text)))
  return [
    ...voting.map((text, index) => `  ${index + 1}. ${clip(text)}`),
    ...(others.size > 0 ? [`  to re-rank from: ${clip([...others].join('; '))}`] : []),
  ]
}

/** What the local policy chose from, if it decided. */
export const consideredOf = ({ steps }: Trace): Considered | undefined =>
  consideredIn(steps.findLast((step) => step.type === 'decide')?.details)

function describeMissing({ retriever, subQuery, status, error }: LegTrace): string {
  return `${retriever} ${status} for "${clip(subQuery.text)}"${error ? `: ${error.message}` : ''}`
}
