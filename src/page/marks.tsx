/** Small signs: which search a thing belongs to, and that a document is needed. */
import type { Label, OfDocument } from './story.ts'

/** Which search's hits are lit: that whose mark the pointer is on. */
export interface Light {
  /** The mark of the search whose hits are lit. */
  readonly lit: string | undefined
  readonly onLight: (mark: string | undefined) => void
}

/** The color of a label, for the style sheet. */
export const colorOf = ({ color }: Label) => ({ '--color': `var(--text-${color})` })

export const Mark = ({ label }: { readonly label: Label }) => (
  <span class="mark" style={colorOf(label)} aria-hidden="true">
    {label.mark}
  </span>
)

/** Who knows that a document is needed. */
const sources = {
  sample: 'The sample comes with judgments, which say so.',
  judgments: 'The judgments say so.',
  reader: 'You judged it so.',
} as const

export const Tag = ({ docid, story: { known, word } }: OfDocument) =>
  known.needed.includes(docid) ? (
    <span class="tag" title={sources[known.by]}>
      {word}
    </span>
  ) : null
