/** The judgments that this browser keeps for the page, in all of its tabs, and the way back. */
import { useRef, useState } from 'preact/hooks'
import type { SampleQuestion } from '../../adapters/apps/http/page-response.ts'
import { gradesOf, type Judged, type Judgments, judgmentsIn, sameQuery, withGrade } from './judgments.ts'
import { keep, placeOf, readKept } from './kept.ts'
import type { KnownDocuments } from './story.ts'
import { useListener } from './use-listener.ts'

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

export type Judging = ReturnType<typeof useJudgments>

const read = (): Judgments => judgmentsIn(readKept(place))
