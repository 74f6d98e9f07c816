/** The answer, while a model writes it and afterwards, with the documents that it was read from. */
import { idOf } from './hit-row.tsx'
import type { Story } from './story.ts'

export function Answer({ story: { view, hits, titleOf } }: { readonly story: Story }) {
  const { answer, citations = [], phase, unanswered } = view
  if (answer === undefined && !unanswered) return null
  const shown = new Set(hits.map(({ docid }) => docid))
  return (
    <section class="answer">
      {answer === undefined ? (
        <p class="soft">No answer in the documents.</p>
      ) : (
        <>
          <h3>Answer</h3>
          <p class="text" aria-busy={phase === 'searching'}>
            {answer}
            {phase === 'searching' && <span class="caret" aria-hidden="true" />}
          </p>
        </>
      )}
      {citations.length > 0 && (
        <p class="citations">
          <span class="soft">From</span>
          {citations.map((docid) => (
            <a key={docid} {...(shown.has(docid) && { href: `#${idOf(docid)}` })}>
              {titleOf(docid)}
            </a>
          ))}
        </p>
      )}
    </section>
  )
}
