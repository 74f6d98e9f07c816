/** Judging hits, and what can be done with judgments: saved, they are a folder in BEIR's layout, which `evaluate` and `train` read. */
import { strToU8, zipSync } from 'fflate'
import { useRef, useState } from 'preact/hooks'
import type { SampleQuestion } from '../../adapters/apps/http/page-response.ts'
import { Button } from './button.tsx'
import {
  filesOf,
  gradesOf,
  isWritable,
  type Judged,
  type Judgments,
  judgmentsIn,
  queriesOf,
  sameQuery,
  withGrade,
} from './judgments.ts'
import { keep, placeOf, readKept } from './kept.ts'
import type { KnownDocuments, OfDocument } from './story.ts'
import { useKey, useListener } from './use-listener.ts'
import { count } from './words.ts'

/** How many steps can be taken back. */
const maxSteps = 200

const place = placeOf('judgments')

/** What a step did to the grade of a document. */
interface Change {
  readonly query: Judged
  readonly docid: string
  readonly was: number | undefined
  readonly is: number | undefined
}

/** The judgments that this browser keeps for the page, in all of its tabs, and the way back. */
export function useJudgments() {
  const [judgments, setJudgments] = useState<Judgments>(read)
  const [isKept, setKept] = useState(true)
  const steps = useRef<(readonly Change[])[]>([]).current
  useListener('storage', ({ key }) => {
    if (key === place) setJudgments(read())
  })

  /** Those of all tabs: the event of another tab may still be on its way. */
  const current = (): Judgments => (isKept ? read() : judgments)

  function set(changes: readonly Change[]): void {
    const next = changes.reduce((all, { query, docid, is }) => withGrade(all, query, docid, is), current())
    setJudgments(next)
    setKept(keep(place, next))
  }

  function take(step: readonly Change[]): void {
    steps.splice(0, steps.length - maxSteps + 1)
    steps.push(step)
    set(step)
  }

  return {
    judgments,
    /** Whether the browser keeps them. Private windows and full storages do not. */
    isKept,
    canUndo: steps.length > 0,
    clear: () =>
      take(current().map((one) => ({ query: one, docid: one.docid, was: one.grade, is: undefined }))),
    /** Takes the last step of this tab back, and leaves what other tabs have judged since. */
    undo(): void {
      const step = steps.pop() ?? []
      const now = current()
      const own = step.filter(({ query, docid, is }) => gradesOf(now, query).get(docid) === is)
      set(own.map((change) => ({ ...change, is: change.was })))
    },
    /** What is known of the documents of a search: from the sample, or else from its reader. */
    knownOf(query: Judged, sample: readonly SampleQuestion[] = []): KnownDocuments {
      const needed = sample.find((question) => sameQuery(question, query))?.needed
      const grades = gradesOf(judgments, query)
      return {
        by: needed === undefined ? 'reader' : 'sample',
        needed: needed ?? [...grades].flatMap(([docid, grade]) => (grade > 0 ? [docid] : [])),
        grades,
        onJudge: (docid, is) => take([{ query, docid, was: gradesOf(current(), query).get(docid), is }]),
      }
    },
  }
}

type Judging = ReturnType<typeof useJudgments>

const read = (): Judgments => judgmentsIn(readKept(place))

const choices = [
  { chosen: 1, word: '✓ Relevant', says: 'is relevant' },
  { chosen: 0, word: '✗ Not relevant', says: 'is not relevant' },
] as const

/** Two buttons that judge a hit. The arrow keys lead to the same button of the next hit, `y` and `n` judge. */
export function Judge({ docid, story: { known, titleOf } }: OfDocument) {
  const { grades, onJudge } = known
  const grade = grades.get(docid)
  if (onJudge === undefined || !isWritable(docid)) return null
  return (
    <span class="judge">
      {choices.map(({ chosen, word, says }) => (
        <Button
          key={word}
          data-grade={chosen}
          aria-pressed={grade === chosen}
          aria-label={`${titleOf(docid)} ${says}`}
          onClick={() => onJudge(docid, grade === chosen ? undefined : chosen)}
          onKeyDown={(event) => {
            const judged = { y: 1, n: 0 }[event.key]
            if (judged !== undefined) onJudge(docid, judged)
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step !== undefined && moveFocus(event.currentTarget, step)) event.preventDefault()
          }}
        >
          {word}
        </Button>
      ))}
    </span>
  )
}

/** @returns whether there is a button in that direction */
function moveFocus(from: HTMLButtonElement, step: number): boolean {
  const alike = `.judge [data-grade="${from.dataset.grade}"]`
  const all = [...from.closest('article')!.querySelectorAll<HTMLButtonElement>(alike)]
  const next = all[all.indexOf(from) + step]
  next?.focus()
  return next !== undefined
}

/** What was judged so far. */
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
