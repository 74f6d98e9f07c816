/** What is searched beside the chosen sub-queries, for re-ranking to choose from. */
import { searchKey } from '../../src/dedupe.ts'
import type { SearchText } from '../../src/policy.ts'
import type { Action } from './actions.ts'
import type { Decision } from './decision.ts'

/**
 * Whether to search more texts for re-ranking to choose from. Yes beside sub-queries, which cost a request anyway. Yes also if
 * the policy leaves the query alone without being sure.
 */
export const widens = ({ members }: Action, isSure: boolean): boolean => members.length > 0 || !isSure

/** The question's names are searched until this many first-stage sub-queries are reached, including the chosen ones. */
const maxNames = 3

/** The texts to search beside the chosen sub-queries if the result is re-ranked. They widen the pool and do not vote. */
export function widerSubQueries(
  { stage }: Pick<Decision, 'stage'>,
  chosen: readonly SearchText[],
  maxSecondStage: number,
): SearchText[] {
  const seen = new Set(chosen.map(({ text }) => searchKey(text)))
  const wider: SearchText[] = []
  const countNames = (): number => [...chosen, ...wider].filter(({ from }) => from === undefined).length
  const countBridges = (): number => chosen.length + wider.length - countNames()
  for (const text of stage.names) if (countNames() < maxNames) add({ text })
  for (const { name, seed } of stage.bridges)
    if (countBridges() < maxSecondStage) add({ text: name, from: seed })
  return wider

  function add(subQuery: Omit<SearchText, 'votes'>): void {
    const key = searchKey(subQuery.text)
    if (key === '' || seen.has(key)) return
    seen.add(key)
    wider.push({ ...subQuery, votes: false })
  }
}
