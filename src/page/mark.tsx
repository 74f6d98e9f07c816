/** The label of a searched text. */
import type { Label } from './labels.ts'

export function Mark({ label: { mark, color } }: { readonly label: Label }) {
  return (
    <span class={`mark color-${color}`} aria-hidden="true">
      {mark}
    </span>
  )
}
