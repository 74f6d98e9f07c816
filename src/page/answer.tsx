/** The answer, while a model writes it and afterwards, with the documents that it was read from. */
import type { SearchView } from './view.ts'

export function Answer({ view, at }: { readonly view: SearchView; readonly at: string }) {
  const { answer, citations, phase, hits, unanswered } = view
  if (unanswered)
    return (
      <section class="answer">
        <p class="soft">No answer in the documents.</p>
      </section>
    )
  if (answer === undefined) return null
  const titles = new Map(hits.map(({ docid, document }) => [docid, document?.title ?? docid]))
  return (
    <section class="answer">
      <h3>Answer</h3>
      <p class="text" aria-busy={phase === 'searching'}>
        {answer}
        {phase === 'searching' && <span class="caret" aria-hidden="true" />}
      </p>
      {citations.length > 0 && (
        <p class="citations">
          <span class="soft">Read in</span>
          {citations.map((docid) =>
            titles.has(docid) ? (
              <a key={docid} href={`#${at}-${encodeURIComponent(docid)}`}>
                {titles.get(docid)}
              </a>
            ) : (
              <span key={docid} class="docid">
                {docid}
              </span>
            ),
          )}
        </p>
      )}
    </section>
  )
}
