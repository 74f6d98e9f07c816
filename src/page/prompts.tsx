/** What language models were asked, and what they wrote. */
import type { SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

export function Prompts({ view: { trace } }: { readonly view: SearchView }) {
  const asks = trace?.steps.flatMap((step) => (step.type === 'ask' ? [step] : [])) ?? []
  if (trace === undefined || asks.length === 0) return null
  const { tokens, usd } = trace
  return (
    <section class="prompts">
      <h3>
        Prompts{' '}
        <span class="soft">
          {count(tokens.prompt + tokens.completion, 'token')}
          {usd !== undefined && `, $${usd.toPrecision(2)}`}
        </span>
      </h3>
      {asks.map(({ prompt, model, ms, tokens: { prompt: read, completion }, output, error, startMs }) => (
        <details key={`${prompt} ${startMs}`} class="leg">
          <summary>
            {prompt} <span>{milliseconds(ms)}</span>
          </summary>
          <p class="soft">
            {model} read {count(read, 'token')} and wrote {completion.toLocaleString('en')}
          </p>
          {error !== undefined && <p class="trouble">{error.message}</p>}
          {output !== undefined && <pre>{output}</pre>}
        </details>
      ))}
    </section>
  )
}
