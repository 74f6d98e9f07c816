import type { LegTrace, Trace } from '../types.ts'
import { formatDuration } from './duration.ts'

/** What was decided, searched and missed, for people: a line each. */
export function describeDecision(trace: Trace): string[] {
  const { kind, reason, subQueries, times, fallback, policy, tokens } = trace
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  const spent = tokens.prompt + tokens.completion
  return [
    ...(fallback ? [`fell back to the query as it is: ${fallback.message}`] : []),
    `${policy}: ${kind} (${reason})`,
    ...(kind === 'as-is' ? [] : subQueries.map(({ text }, index) => `  ${index + 1}. ${text}`)),
    ...legs.filter(({ status }) => status !== 'ok').map(describeMissing),
    `${legs.length} ${legs.length === 1 ? 'leg' : 'legs'} in ${formatDuration(times.total)}` +
      `${spent > 0 ? `, ${spent} tokens` : ''}`,
  ]
}

function describeMissing({ retriever, subQuery, status, error }: LegTrace): string {
  return `${retriever} ${status} for "${subQuery.text}"${error ? `: ${error.message}` : ''}`
}
