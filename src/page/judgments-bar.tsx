/** What was judged so far, and what can be done with it. */
import { useEffect } from 'preact/hooks'
import { queriesOf } from './judgments.ts'
import { saveJudgments } from './save-judgments.ts'
import type { Judging } from './use-judgments.ts'
import { count } from './words.ts'

export function JudgmentsBar({ judgments, isKept, canUndo, undo, clear }: Judging) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = (event.target as Element).matches('input, textarea, select')
      if (isTyping || event.key !== 'z' || event.shiftKey || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      undo()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  if (judgments.length === 0 && !canUndo) return null
  return (
    <section class="judgments" aria-label="Judgments">
      <div>
        <p role="status">
          {count(judgments.length, 'judgment')} of {count(queriesOf(judgments).size, 'query', 'queries')}.
          {!isKept && ' This browser does not keep them: save them before you leave.'}
        </p>
        <button type="button" onClick={undo} disabled={!canUndo} title="Ctrl+Z">
          Undo
        </button>
        <button type="button" onClick={clear} disabled={judgments.length === 0}>
          Clear
        </button>
        <button
          type="button"
          class="main"
          onClick={() => saveJudgments(judgments)}
          disabled={judgments.length === 0}
          title="queries.jsonl and qrels/test.tsv, for querent evaluate and querent train"
        >
          Save
        </button>
      </div>
    </section>
  )
}
