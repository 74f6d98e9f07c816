/** Two buttons that judge a hit. The arrow keys lead to the same button of the next hit, `y` and `n` judge. */
import { isWritable, type JudgedQuery } from './judgments.ts'

/** `undefined` takes a judgment back. */
export type OnJudge = (docid: string, grade: number | undefined) => void

interface JudgeProps {
  readonly docid: string
  readonly title: string
  readonly grades: JudgedQuery['grades']
  readonly onJudge?: OnJudge | undefined
}

const choices = [
  { chosen: 1, mark: '✓', word: 'Relevant', says: 'is relevant' },
  { chosen: 0, mark: '✗', word: 'Not relevant', says: 'is not relevant' },
] as const

export function Judge({ docid, title, grades, onJudge }: JudgeProps) {
  const grade = grades[docid]
  if (onJudge === undefined || !isWritable(docid)) return null
  return (
    <span class="judge">
      {choices.map(({ chosen, mark, word, says }) => (
        <button
          key={word}
          type="button"
          data-grade={chosen}
          aria-pressed={grade === chosen}
          aria-label={`${title} ${says}`}
          onClick={() => onJudge(docid, grade === chosen ? undefined : chosen)}
          onKeyDown={(event) => {
            const judged = { y: 1, n: 0 }[event.key]
            if (judged !== undefined) onJudge(docid, judged)
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
            if (step !== undefined && moveFocus(event.currentTarget, step)) event.preventDefault()
          }}
        >
          {mark} {word}
        </button>
      ))}
    </span>
  )
}

/** @returns whether there is a button in that direction */
function moveFocus(from: HTMLButtonElement, step: number): boolean {
  const all = [
    ...from
      .closest('article')!
      .querySelectorAll<HTMLButtonElement>(`.judge [data-grade="${from.dataset.grade}"]`),
  ]
  const next = all[all.indexOf(from) + step]
  next?.focus()
  return next !== undefined
}
