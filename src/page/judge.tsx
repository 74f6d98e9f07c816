/** Two buttons that judge a hit. The arrow keys lead to the same button of the next hit, `y` and `n` judge. */
import { Button } from './button.tsx'
import { isWritable } from './judgments.ts'
import type { OfDocument } from './story.ts'

const choices = [
  { chosen: 1, word: '✓ Relevant', says: 'is relevant' },
  { chosen: 0, word: '✗ Not relevant', says: 'is not relevant' },
] as const

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
