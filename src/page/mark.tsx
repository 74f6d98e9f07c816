/** The label of a searched text. */
import type { Label } from './story.ts'

/** The color of a label, for the style sheet. */
export const colorOf = ({ color }: Label) => ({ '--color': `var(--text-${color})` })

export const Mark = ({ label }: { readonly label: Label }) => (
  <span class="mark" style={colorOf(label)} aria-hidden="true">
    {label.mark}
  </span>
)
