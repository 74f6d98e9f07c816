/** Trains a policy: the scorers of seeds and bridges, the gains of plans, then re-ranking on what the plans find. */

import { createReader } from '../../../src/text/reader.ts'
import type { TermWeights } from '../../../src/text/term-weights.ts'
import type { DecisionSection } from '../decision/decision.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { fitSeedsAndBridges } from './bridge-training.ts'
import { checkTeachable, checkVaried } from './check-training-data.ts'
import { type Example, rememberedDocuments } from './example.ts'
import { trainGains } from './gain-training.ts'
import { searchPlans } from './plan-search.ts'
import type { RerankingOptions } from './rerank-training.ts'
import { withShortLists } from './short-lists.ts'
import { trainReranking } from './train-reranking.ts'

export interface PolicyTrainingOptions extends RerankingOptions {
  /** Whether to fit re-ranking as well. Default: true. Re-ranking learns from the lists that the decision retrieves. */
  readonly rerank?: boolean | undefined
}

export interface TrainedPolicy {
  readonly decision: DecisionSection
  readonly rerank?: RerankSection
}

/** @throws QuerentError `unusable-judgments`; `aborted` */
export async function trainPolicy(
  given: readonly Example[],
  terms: TermWeights,
  options: PolicyTrainingOptions,
): Promise<TrainedPolicy> {
  checkTeachable(given)
  const examples = withShortLists(given)
  const reader = createReader(terms, rememberedDocuments)
  const { onProgress, signal } = options
  const secondStage = await fitSeedsAndBridges(examples, reader, options)
  const searched = await searchPlans(
    examples,
    (_, index) => secondStage.folds[secondStage.foldOf[index]!]!,
    reader,
    {
      signal,
      onProgress: (done, total) => onProgress?.({ phase: 'plans', done, total }),
    },
  )
  checkVaried(searched)
  const gains = await trainGains(searched, {
    ...options,
    onProgress: (done, total) => onProgress?.({ phase: 'gains', done, total }),
  })
  const decision = { ...secondStage.all, gains }
  if (options.rerank === false) return { decision }
  return { decision, rerank: await trainReranking(searched, decision, reader, options) }
}
