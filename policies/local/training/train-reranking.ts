/** Fits re-ranking on the lists that a decision retrieves, after training the decision or alone. */

import { createReader, type Reader } from '../../../src/text/reader.ts'
import type { TermWeights } from '../../../src/text/term-weights.ts'
import { type DecisionSection, prepareChoice } from '../decision/decision.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { checkTeachable } from './check-training-data.ts'
import { type Example, rememberedDocuments } from './example.ts'
import { broughtLists, type SearchedPlans, searchPlans } from './plan-search.ts'
import { fitReranker, type RerankingOptions } from './rerank-training.ts'
import { withShortLists } from './short-lists.ts'

/** Fits re-ranking on the lists that the decision retrieves, including those that only widen the pool. */
export async function trainReranking(
  searched: readonly SearchedPlans[],
  { gains }: Pick<DecisionSection, 'gains'>,
  reader: Reader,
  options: RerankingOptions,
): Promise<RerankSection> {
  const choose = prepareChoice(gains)
  const examples = searched.map(({ example }) => example)
  const brought = async (_: Example, index: number) => {
    const one = searched[index]!
    return broughtLists(one, choose(one))
  }
  return fitReranker(examples, brought, reader, options)
}

/**
 * Fits re-ranking alone, on the lists that an existing decision retrieves, or on those of the original queries.
 *
 * @param decision undefined for the original queries
 * @param terms the term weights that the decision was trained with
 * @throws QuerentError `unusable-judgments`; `bad-config` for a decision that was trained on other features; `aborted`
 */
export async function trainRerankingAlone(
  given: readonly Example[],
  decision: DecisionSection | undefined,
  terms: TermWeights,
  options: RerankingOptions,
): Promise<RerankSection> {
  checkTeachable(given)
  const examples = withShortLists(given)
  const reader = createReader(terms, rememberedDocuments)
  if (decision === undefined) return fitReranker(examples, async ({ lists }) => lists, reader, options)
  const searched = await searchPlans(examples, () => decision, reader, {
    signal: options.signal,
    onProgress: (done, total) => options.onProgress?.({ phase: 'plans', done, total }),
  })
  return trainReranking(searched, decision, reader, options)
}
