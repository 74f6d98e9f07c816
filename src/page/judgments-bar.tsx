/** What was judged so far, and what can be done with it: saved, it is a folder in BEIR's layout, which `evaluate` and `train` read. */
import { strToU8, zipSync } from 'fflate'
import { Button } from './button.tsx'
import { filesOf, type Judgments, queriesOf } from './judgments.ts'
import type { Judging } from './use-judgments.ts'
import { useKey } from './use-listener.ts'
import { count } from './words.ts'

export function JudgmentsBar({ judgments, isKept, canUndo, undo, clear }: Judging) {
  useKey(({ key, ctrlKey, metaKey, shiftKey }) => key === 'z' && !shiftKey && (ctrlKey || metaKey), undo)
  const isEmpty = judgments.length === 0
  if (isEmpty && !canUndo) return null
  return (
    <section class="judgments" aria-label="Judgments">
      <div>
        <p role="status">
          {count(judgments.length, 'judgment')} of {count(queriesOf(judgments).size, 'query', 'queries')}.
          {!isKept && ' This browser does not keep them: save them before you leave.'}
        </p>
        <Button onClick={undo} disabled={!canUndo} title="Ctrl+Z">
          Undo
        </Button>
        <Button onClick={clear} disabled={isEmpty}>
          Clear
        </Button>
        <Button
          class="main"
          onClick={() => save(judgments)}
          disabled={isEmpty}
          title="queries.jsonl and qrels/test.tsv, for querent evaluate and querent train"
        >
          Save
        </Button>
      </div>
    </section>
  )
}

function save(judgments: Judgments): void {
  const folder = 'judgments'
  const files = Object.entries(filesOf(judgments)).map(([name, text]) => [`${folder}/${name}`, strToU8(text)])
  const zip = new Blob([zipSync(Object.fromEntries(files))], { type: 'application/zip' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(zip)
  link.download = `${folder}.zip`
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
