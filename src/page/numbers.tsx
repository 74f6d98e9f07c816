/** What stands behind a decision: predictions, and what language models were asked and wrote. */
import type { Trace } from '../types.ts'
import { consideredIn } from './story.ts'
import type { SearchView } from './view.ts'
import { count, milliseconds } from './words.ts'

export function Numbers({ view, trace }: { readonly view: SearchView; readonly trace: Trace }) {
  const { failedPrompts = [] } = view
  const { policy, reason, tokens, usd } = trace
  const asks = trace.steps.flatMap((step) => (step.type === 'ask' ? [step] : []))
  return (
    <>
      {asks.length > 0 && (
        <section class="prompts">
          <h3>
            Prompts{' '}
            <span class="soft">
              {failedPrompts.length > 0
                ? `${failedPrompts.length} failed`
                : count(tokens.prompt + tokens.completion, 'token')}
              {usd !== undefined && `, $${usd.toPrecision(2)}`}
            </span>
          </h3>
          {asks.map(({ prompt, model, ms, tokens: { prompt: read, completion }, output, error, startMs }) => (
            <details key={`${prompt} ${startMs}`} class={error === undefined ? 'ask' : 'ask trouble'}>
              <summary>
                {error !== undefined && '✗ '}
                {prompt} <span class="soft">{error === undefined ? milliseconds(ms) : 'failed'}</span>
              </summary>
              <p class="soft">
                {model} read {count(read, 'token')} and wrote {completion.toLocaleString('en')}
              </p>
              {error !== undefined && <p class="trouble">{error.message}</p>}
              {output !== undefined && <pre>{output}</pre>}
            </details>
          ))}
        </section>
      )}
      <details class="numbers">
        <summary>Numbers</summary>
        <p class="soft">
          {policy}: {reason}
          {view.fused !== undefined && `. Fused with ${view.fused.method}.`}
        </p>
        {consideredIn(view)?.plans.map(({ plan, subQueries, gain }) => (
          <p key={plan} class="soft">
            {(100 * gain).toFixed(1)} points expected of {plan}: {subQueries.join(' · ')}
          </p>
        ))}
      </details>
    </>
  )
}
