/** The best that can be done without looking at the query: one template for all of them. */

import { countBits } from '../../src/learn/bits.ts'
import { createRandom, permutation } from '../../src/learn/random.ts'
import { mean } from '../../src/learn/statistics.ts'
import type { ChoiceTable } from './choice-table.ts'
import { asIs, madeOf, type Template } from './template.ts'

/**
 * The template with the highest mean Stage II reward over the queries, without what sub-queries cost, so that it is as hard to
 * beat as it can be; of equal ones that with the fewest slots, then the first that was met. Of a template that cannot be made
 * for a query its largest part counts.
 *
 * @param searches whether it has to have sub-queries. Default: no, it may be the query as it is.
 */
export function bestFixedSet(
  tables: readonly ChoiceTable[],
  { searches = false }: { readonly searches?: boolean } = {},
): Template {
  const made = new Set(tables.flatMap(({ templates }) => [...templates]))
  const all = [...made].filter((template) => !searches || template !== asIs)
  let best: { template: Template; reward: number } | undefined
  for (const template of all.sort((a, b) => countBits(a) - countBits(b))) {
    const reward = mean(tables.map((table) => table.reward(madeOf(template, table.templates), 2)))
    if (best === undefined || reward > best.reward + closeness) best = { template, reward }
  }
  return best?.template ?? 1
}

/** Means of doubles that differ by less are equal. */
const closeness = 1e-9

/**
 * Rewards that have nothing to do with their query: each query earns what another one would have earned with the same template,
 * or with the largest part of it that the other one can make. What is good on the whole can still be learned from them, but
 * not what is good for whom.
 *
 * @returns for each table a reward function
 */
export function shuffledRewards(
  tables: readonly ChoiceTable[],
  seed: number,
): ((choice: number, stage: 1 | 2) => number)[] {
  const order = permutation(tables.length, createRandom(seed))
  return tables.map(({ templates }, index) => {
    const other = tables[order[index]!]!
    return (choice, stage) => other.reward(madeOf(templates[choice]!, other.templates), stage)
  })
}

/** The choice with the highest Stage II reward: of equal ones that with the fewest sub-queries. */
export function bestChoice({ prepared, reward, size }: ChoiceTable): number {
  let best = 0
  for (let choice = 1; choice < prepared.choices.length; choice++) {
    const gain = reward(choice, 2) - reward(best, 2)
    if (gain > closeness || (gain > -closeness && size(choice) < size(best))) best = choice
  }
  return best
}
