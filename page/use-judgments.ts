/** The judgments that this browser keeps for the page, in all of its tabs, and the way back. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Judged, type Judgments, withGrade } from './judgments.ts'

/** How many steps can be taken back. */
const maxSteps = 200

/** Servers of one host share their storage. The port is part of the origin, the path is not. */
const place = `querent judgments ${location.pathname}`

export function useJudgments() {
  const [judgments, setJudgments] = useState<Judgments>(read)
  const [isKept, setKept] = useState(true)
  const before = useRef<readonly Judgments[]>([])

  useEffect(() => {
    const onStorage = ({ key }: StorageEvent): void => {
      if (key === place) setJudgments(read())
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [])

  function set(next: Judgments): void {
    setJudgments(next)
    setKept(write(next))
  }

  function change(next: Judgments): void {
    before.current = [...before.current, judgments].slice(-maxSteps)
    set(next)
  }

  return {
    judgments,
    /** Whether the browser keeps them. Private windows and full storages do not. */
    isKept,
    canUndo: before.current.length > 0,
    judge: (query: Judged, docid: string, grade: number | undefined): void =>
      change(withGrade(judgments, query, docid, grade)),
    clear: (): void => change([]),
    undo(): void {
      const last = before.current.at(-1)
      if (last === undefined) return
      before.current = before.current.slice(0, -1)
      set(last)
    },
  }
}

export type Judging = ReturnType<typeof useJudgments>

function read(): Judgments {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '[]') as Judgments
  } catch {
    return []
  }
}

function write(judgments: Judgments): boolean {
  try {
    localStorage.setItem(place, JSON.stringify(judgments))
    return true
  } catch {
    return false
  }
}
