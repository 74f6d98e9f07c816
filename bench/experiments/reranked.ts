/** What re-ranking makes of choices; those that bring the same lists are re-ranked once. */
import type { ChoiceModels } from '../../policies/local/choose.ts'
import { createReranker } from '../../policies/local/rerank/rerank.ts'
import type { RerankSection } from '../../policies/local/rerank/rerank-section.ts'
import type { PreparedExample } from '../../policies/local/training/action-space.ts'
import { type AppliedDecision, broughtLists } from '../../policies/local/training/apply-decision.ts'
import { readPoolOf } from '../../policies/local/training/example.ts'
import { trainReranking } from '../../policies/local/training/train-reranking.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { ChoiceTable } from './choice-table.ts'

/**
 * The docids that a choice gives after re-ranking, best first: those of the pool, then what was fused beside it.
 *
 * @param maxSecondStage sub-queries of stage 2 at the most, those that only widen the pool among them. Default: 12.
 */
export type Rerank = (
  table: ChoiceTable,
  taken: AppliedDecision,
  maxSecondStage?: number,
) => Promise<readonly string[]>

/** Fits re-ranking on what a decision brings for some queries; it is then used on others. */
export async function fitRerank(
  training: readonly ChoiceTable[],
  decision: ChoiceModels,
  reader: Reader,
  options: { readonly seed: number; readonly signal?: AbortSignal | undefined },
): Promise<{ readonly section: RerankSection; readonly rerank: Rerank }> {
  const prepared = training.map((table) => table.prepared)
  const section = await trainReranking(prepared, decision, reader, options)
  return { section, rerank: prepareRerank(section, reader) }
}

function prepareRerank(section: RerankSection, reader: Reader): Rerank {
  const reranker = createReranker(section, reader)
  // By what was searched, not by the query: another retriever finds other documents for it.
  const knownOf = new WeakMap<PreparedExample, Map<string, readonly string[]>>()
  return async (table, taken, maxSecondStage) => {
    const { example, choices } = table.prepared
    const known = knownOf.get(table.prepared) ?? new Map<string, readonly string[]>()
    knownOf.set(table.prepared, known)
    const { members } = choices[taken.choice]!
    // Whether the policy is sure changes nothing where it searches anyway.
    const key = `${members.length > 0 ? members.join() : taken.isSure} ${maxSecondStage ?? ''}`
    let pool = known.get(key)
    if (pool === undefined) {
      const lists = await broughtLists(table.prepared, taken, maxSecondStage)
      await readPoolOf(example, lists)
      pool = reranker.rerank(example.query, lists, [], example.documentOf).map(({ docid }) => docid)
      known.set(key, pool)
    }
    return [...new Set([...pool, ...table.fused(taken.choice)])]
  }
}
