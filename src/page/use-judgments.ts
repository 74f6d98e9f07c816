/** The judgments that this browser keeps for the page, in all of its tabs, and the way back. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { gradeOf, type Judged, type Judgments, withAll, withGrade } from './judgments.ts'
import { keep, placeOf, readKept } from './kept.ts'
import { judgmentsIn } from './read-judgments.ts'

/** How many steps can be taken back. */
const maxSteps = 200

const place = placeOf('judgments')

/** Takes a step of this tab back, and leaves what other tabs have judged since. */
type Inverse = (now: Judgments) => Judgments

export function useJudgments() {
  const [judgments, setJudgments] = useState<Judgments>(read)
  const [isKept, setKept] = useState(true)
  const inverses = useRef<readonly Inverse[]>([])

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === place) setJudgments(read())
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])

  /** Those of all tabs: the event of another tab may still be on its way. */
  const current = (): Judgments => (isKept ? read() : judgments)

  function set(next: Judgments): void {
    setJudgments(next)
    setKept(keep(place, next))
  }

  function change(next: Judgments, inverse: Inverse): void {
    inverses.current = [...inverses.current, inverse].slice(-maxSteps)
    set(next)
  }

  return {
    judgments,
    /** Whether the browser keeps them. Private windows and full storages do not. */
    isKept,
    canUndo: inverses.current.length > 0,
    judge(query: Judged, docid: string, grade: number | undefined): void {
      const now = current()
      const before = gradeOf(now, query, docid)
      change(withGrade(now, query, docid, grade), (later) =>
        gradeOf(later, query, docid) === grade ? withGrade(later, query, docid, before) : later,
      )
    },
    clear(): void {
      const now = current()
      change([], (later) => withAll(now, later))
    },
    undo(): void {
      const inverse = inverses.current.at(-1)
      if (inverse === undefined) return
      inverses.current = inverses.current.slice(0, -1)
      set(inverse(current()))
    },
  }
}

export type Judging = ReturnType<typeof useJudgments>

const read = (): Judgments => judgmentsIn(readKept(place))
