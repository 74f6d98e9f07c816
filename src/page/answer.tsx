/** The answer, while a model writes it and afterwards, with the documents that it was read from. */
import type { SearchView } from './view.ts'

interface AnswerProps {
  readonly view: SearchView
  readonly at: string
  readonly titleOf: (docid: string) => string
}

export function Answer({ view: { answer, citations, phase, hits, unanswered }, at, titleOf }: AnswerProps) {
  if (unanswered)
    return (
      <section class="answer">
        <p class="soft">No answer in the documents.</p>
      </section>
    )
  if (answer === undefined) return null
  const shown = new Set(hits.map(({ docid }) => docid))
  return (
    <section class="answer">
      <h3>Answer</h3>
      <p class="text" aria-busy={phase === 'searching'}>
        {answer}
        {phase === 'searching' && <span class="caret" aria-hidden="true" />}
      </p>
      {citations.length > 0 && (
        <p class="citations">
          <span class="soft">From</span>
          {citations.map((docid) =>
            shown.has(docid) ? (
              <a key={docid} href={`#${at}-${encodeURIComponent(docid)}`}>
                {titleOf(docid)}
              </a>
            ) : (
              <span key={docid}>{titleOf(docid)}</span>
            ),
          )}
        </p>
      )}
    </section>
  )
}
