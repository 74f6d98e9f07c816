/** Before the first search: what is in here, what to ask, and what one will see. */
import type { SampleOfPage, SampleQuestion } from '../../adapters/apps/http/page-response.ts'
import type { GivenTurn } from '../types.ts'
import { recentQueries } from './kept.ts'

interface WelcomeProps {
  readonly sample: SampleOfPage | undefined
  readonly addressOf: (text: string) => string
  readonly onAsk: (text: string, history: readonly GivenTurn[]) => void
}

export function Welcome({ sample, addressOf, onAsk }: WelcomeProps) {
  const suggested: readonly Omit<SampleQuestion, 'needed'>[] =
    sample?.questions.filter((one) => one.suggestedAs !== undefined) ??
    recentQueries().map((text) => ({ text }))
  return (
    <section class="welcome">
      <h2>See what a search finds, and what your words alone would have found</h2>
      <p>
        {sample === undefined
          ? 'Type a question. '
          : `${sample.documents} short documents about bridges, films, operas, novels, paintings, mountains and more are in here. Ask them something. `}
        Left you see what your words find on their own, right what Querent finds, and beside it what it
        searched to get there.
      </p>
      {suggested.length > 0 && (
        <>
          <h3>{sample === undefined ? 'Your last questions' : 'Try one of these'}</h3>
          <ul>
            {suggested.map(({ text, suggestedAs, history = [] }) => (
              <li key={text}>
                <a
                  href={addressOf(text)}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey) return
                    event.preventDefault()
                    onAsk(text, history)
                  }}
                >
                  {suggestedAs && <span class="soft">{suggestedAs}</span>}
                  {history.map((turn) => (
                    <span key={turn.text} class="said">
                      {turn.text}
                    </span>
                  ))}
                  <span>{text}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p class="soft">
        <kbd>/</kbd> goes to the field, <kbd>Esc</kbd> stops a search. What you judge in the view <i>Judge</i>{' '}
        is read by <code>querent evaluate</code> and <code>querent train</code>.
      </p>
    </section>
  )
}
