/** Marks a document that is known to be needed, and says who knows. */
import type { OfDocument } from './story.ts'

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
