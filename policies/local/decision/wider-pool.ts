/** The texts that a plan searches, and those that are searched with them for re-ranking to choose from. */
import { searchKey } from '../../../src/dedupe.ts'
import type { SearchText } from '../../../src/policy.ts'
import type { Plan } from './plans.ts'
import type { SecondStage } from './second-stage.ts'

/** The texts of a plan, for retrievers; none if the query is left alone. */
export const searchesOf = (plan: Plan | undefined): SearchText[] =>
  (plan?.texts ?? []).map(({ text, from }) => ({ text, ...(from !== undefined && { from }) }))

/** The question's names are searched until this many first-stage sub-queries are reached, including the chosen ones. */
const maxNames = 3

/** The texts to search beside the chosen sub-queries if the result is re-ranked. They widen the pool and do not vote. */
export function widerSubQueries(
  { names, bridges }: Pick<SecondStage, 'names' | 'bridges'>,
  chosen: readonly SearchText[],
  maxSecondStage: number,
): SearchText[] {
  const seen = new Set(chosen.map(({ text }) => searchKey(text)))
  const wider: SearchText[] = []
  const countNames = (): number => [...chosen, ...wider].filter(({ from }) => from === undefined).length
  const countBridges = (): number => chosen.length + wider.length - countNames()
  for (const text of names) if (countNames() < maxNames) add({ text })
  for (const { name, seed } of bridges) if (countBridges() < maxSecondStage) add({ text: name, from: seed })
  return wider

  function add(subQuery: Omit<SearchText, 'votes'>): void {
    const key = searchKey(subQuery.text)
    if (key === '' || seen.has(key)) return
    seen.add(key)
    wider.push({ ...subQuery, votes: false })
  }
}
