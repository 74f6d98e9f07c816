/** What was decided, and why. */
import type { Considered } from '../../policies/local/considered.ts'
import { partWords } from '../budget-words.ts'
import { Filters } from './filters.tsx'
import { labelsOf } from './labels.ts'
import { Mark } from './mark.tsx'
import type { SearchView } from './view.ts'
import { count } from './words.ts'

/** Decisions in a few words. */
export const kindWords = {
  'as-is': () => 'Searched as it is',
  rewrite: () => 'Rewritten',
  decompose: (texts?: number) =>
    texts === undefined ? 'Split' : `Split into ${count(texts, 'query', 'queries')}`,
}

export const decisionWords = ({ decision, decided }: SearchView): string =>
  decision === undefined ? 'Not decided' : kindWords[decision.kind](decided)

export function Decision({ view }: { readonly view: SearchView }) {
  const { decision, phase, fallback, partial, policy, endedBy } = view
  const considered = consideredIn(view)
  return (
    <section class="decision">
      <p class="verdict">
        {decision === undefined && phase === 'searching' ? (
          <span class="kind pending">Deciding …</span>
        ) : (
          <span class={`kind ${fallback === undefined ? (decision?.kind ?? 'as-is') : 'fallback'}`}>
            {fallback === undefined ? decisionWords(view) : 'Fell back to your words'}
          </span>
        )}
        {policy !== undefined && <span class="soft">by the policy “{policy}”</span>}
        {partial && <span class="kind warning">Hits may be missing</span>}
        {endedBy !== undefined && fallback === undefined && (
          <span class="kind warning">Ended by the budget: {partWords[endedBy]}</span>
        )}
      </p>
      {decision !== undefined && <p class="reason">{decision.reason}</p>}
      <Filters read={view.filters ?? []} />
      <FusedTexts view={view} />
      {considered !== undefined && <Plans considered={considered} />}
    </section>
  )
}

/** The texts whose lists were fused: the key to the bars of the hits. */
function FusedTexts({ view: { fused, rounds, text } }: { readonly view: SearchView }) {
  const texts = new Map(
    fused?.texts?.map((subQuery) => [subQuery.round === 0 ? text : subQuery.text, subQuery]),
  )
  const labelOf = labelsOf(rounds)
  if (texts.size < 2) return null
  return (
    <ul class="key" aria-label="Texts whose lists were fused">
      {[...texts].map(([words, subQuery]) => (
        <li key={words}>
          <Mark label={labelOf(subQuery)} /> {subQuery.round === 0 ? 'your words' : words}
        </li>
      ))}
    </ul>
  )
}

/** The plans of the local policy. */
function Plans({ considered: { plans, cost } }: { readonly considered: Considered }) {
  return (
    <details>
      <summary>
        {count(plans.length, 'plan')}: points that each should gain; a request costs {(100 * cost).toFixed(1)}
      </summary>
      <ol class="choices">
        {plans.map(({ plan, subQueries, withOriginal, gain }) => (
          <li key={plan}>
            <span class="figure">{(100 * gain).toFixed(1)}</span>
            <span>
              {plan}:{' '}
              {[...(withOriginal ? ['your words'] : []), ...subQueries.map((text) => `“${text}”`)].join(
                ' + ',
              )}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** The details of a decision have a form of each policy's own: here that of the local policy. */
function consideredIn({ trace }: SearchView): Considered | undefined {
  const step = trace?.steps.findLast((one) => one.type === 'decide')
  const details = step?.details as Partial<Considered> | undefined
  const isKnown =
    Array.isArray(details?.plans) && details.plans.length > 0 && typeof details.cost === 'number'
  return isKnown ? (details as Considered) : undefined
}
