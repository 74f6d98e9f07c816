/** What went wrong, why, and what to do about it: in one bar, before everything else. */
import { partWords } from '../budget-words.ts'
import { errorTable } from '../errors.ts'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

interface Trouble {
  readonly kind: 'failed' | 'stopped' | 'less'
  readonly what: string
  readonly why?: string
  readonly remedy?: string
}

interface TroubleBarProps {
  readonly trouble: Trouble | undefined
  readonly onRetry?: (() => void) | undefined
}

export function TroubleBar({ trouble, onRetry }: TroubleBarProps) {
  if (trouble === undefined) return null
  const { kind, what, why, remedy } = trouble
  return (
    <div class={`trouble-bar ${kind}`} role="alert">
      <p>
        <strong>{what}</strong> {why} {remedy}
      </p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

export function troubleOf(view: SearchView): Trouble | undefined {
  const { problem, isStopped, fallback, failedPrompts = [], trace, policy, answer, endedBy } = view
  if (isStopped) return { kind: 'stopped', what: 'You stopped this search.', why: 'What had come stays.' }
  if (problem !== undefined)
    return { kind: 'failed', what: problem.title, why: problem.detail, remedy: problem.remedy }
  const asks = trace?.steps.flatMap((step) => (step.type === 'ask' ? [step] : [])) ?? []
  const prompts = failedPrompts.map(({ prompt }) => prompt)
  if (fallback !== undefined)
    return {
      kind: 'less',
      what: 'These are the results of your words alone:',
      ...saidOf(fallback, `the policy “${policy}” failed`),
    }
  if (prompts.length > 0) {
    const many = `${prompts.length} of ${count(asks.length, 'prompt')} failed (${[...new Set(prompts)].join(', ')})`
    return {
      kind: 'less',
      what:
        answer === undefined && asks.some(({ final, error }) => final && error)
          ? `No answer: ${many}.`
          : `${many}.`,
      ...saidOf(failedPrompts[0]!.code, ''),
    }
  }
  if (endedBy !== undefined) return { kind: 'less', what: `Ended by the budget: ${partWords[endedBy]}.` }
  if (!view.partial) return undefined
  const missing = view.rounds.flatMap(({ legs }) =>
    legs.filter(({ status, trouble }) => status !== 'ok' || trouble !== undefined),
  )
  const names = [...new Set(missing.map(({ retriever }) => retriever))]
  return {
    kind: 'less',
    what: 'Hits may be missing.',
    why: names.length > 0 ? `${names.join(' and ')} failed, or was late.` : '',
  }
}

/** An error in its own words. */
function saidOf(code: string, otherwise: string): Pick<Trouble, 'why' | 'remedy'> {
  if (!Object.hasOwn(errorTable, code)) return { why: `${otherwise} (${code}).` }
  const { meaning, remedy } = errorTable[code as keyof typeof errorTable]
  return { why: meaning, remedy }
}
