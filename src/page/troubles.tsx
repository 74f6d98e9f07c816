/** What went wrong, why, and what to do about it: in one bar, before everything else. */
import { partWords } from '../budget-words.ts'
import { errorTable } from '../errors.ts'
import { Button } from './button.tsx'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

type Trouble = readonly [kind: 'failed' | 'stopped' | 'less', what: string, why?: string, remedy?: string]

interface TroubleBarProps {
  readonly trouble: Trouble | undefined
  readonly onRetry?: (() => void) | undefined
}

export function TroubleBar({ trouble, onRetry }: TroubleBarProps) {
  if (trouble === undefined) return null
  const [kind, what, why, remedy] = trouble
  return (
    <div class={`trouble-bar ${kind}`} role="alert">
      <p>
        <strong>{what}</strong> {why} {remedy}
      </p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

export function troubleOf(view: SearchView): Trouble | undefined {
  const { problem, isStopped, fallback, failedPrompts = [], trace, policy, answer, endedBy } = view
  if (isStopped) return ['stopped', 'You stopped this search.', 'What had come stays.']
  if (problem !== undefined) return ['failed', problem.title, problem.detail, problem.remedy]
  const asks = trace?.steps.filter((step) => step.type === 'ask') ?? []
  const prompts = failedPrompts.map(({ prompt }) => prompt)
  if (fallback !== undefined)
    return [
      'less',
      'These are the results of your words alone:',
      ...saidOf(fallback, `the policy “${policy}” failed`),
    ]
  if (prompts.length > 0) {
    const many = `${prompts.length} of ${count(asks.length, 'prompt')} failed (${[...new Set(prompts)].join(', ')}).`
    const isUnanswered = answer === undefined && asks.some(({ final, error }) => final && error)
    return ['less', isUnanswered ? `No answer: ${many}` : many, ...saidOf(failedPrompts[0]!.code, '')]
  }
  if (endedBy !== undefined) return ['less', `Ended by the budget: ${partWords[endedBy]}.`]
  if (!view.partial) return undefined
  const missing = view.rounds.flatMap(({ legs }) => legs.filter(({ trouble }) => trouble !== undefined))
  const names = [...new Set(missing.map(({ retriever }) => retriever))].join(' and ')
  return ['less', 'Hits may be missing.', names === '' ? '' : `${names} failed, or was late.`]
}

/** An error in its own words. */
function saidOf(code: string, otherwise: string): readonly [why: string, remedy?: string] {
  if (!Object.hasOwn(errorTable, code)) return [`${otherwise} (${code}).`]
  const { meaning, remedy } = errorTable[code as keyof typeof errorTable]
  return [meaning, remedy]
}
