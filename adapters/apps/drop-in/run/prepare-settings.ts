/** What optimized searches are made with: loads what the options choose, and nothing else. */
import { rankScore } from '../../../../fusion/rank-score.ts'
import { namedPolicy } from '../../../../policies/by-name.ts'
import { fallingBackTo } from '../../../../policies/fallback.ts'
import { filteredBy } from '../../../../policies/filters/filtered-by.ts'
import type { LocalPolicy } from '../../../../policies/local/local-policy.ts'
import { budgetOf, type FullBudget } from '../../../../src/budget.ts'
import type { Policy } from '../../../../src/policy.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import { defaultThreads } from '../../../../src/runtime/threads.ts'
import type { Fusion } from '../../../../src/types.ts'
import { type KeptValues, keptValues } from '../../../search/cluster/aggregated-values.ts'
import { createHitWeights, type HitWeights } from '../plan/fetch-plan.ts'
import { createFieldKinds, type FieldKinds } from './field-kinds.ts'
import { createLoad, type Load } from './load.ts'
import type { CheckedOptions } from './options.ts'
import { type EngineLimits, engineLimits } from './resilient-engine.ts'
import type { ReadRule } from './rules.ts'

/** Options that become something else. Searches read all others as they were given. */
type Made =
  | 'policy'
  | 'rerank'
  | 'retries'
  | 'resilience'
  | 'workers'
  | 'concurrency'
  | 'maxDelay'
  | 'chatTimeout'
  | 'budget'
  | 'filters'
  | 'fallback'
  | 'fusion'
  | 'rules'

/** The options, with the policy loaded. */
export interface SearchSettings extends Readonly<Omit<CheckedOptions, Made>> {
  readonly policy: Policy
  /** Whether the policy never changes a query, and no rule has another. Then searches need not be parsed. */
  readonly isNone: boolean
  /** For some indices. */
  readonly rules: readonly ReadRule<SearchSettings>[]
  readonly rerank?: Reranker | undefined
  /** Whether the application chose the re-ranker. */
  readonly isChosen: boolean
  readonly fusion: Fusion
  /** Whether the policy or its re-ranker reads texts of hits. */
  readonly reads: boolean
  /** Whether these texts may leave the process. */
  readonly leaves: boolean
  readonly budget: FullBudget
  readonly limits: EngineLimits
  readonly load: Load
  /** Sizes of earlier hits. */
  readonly weights: HitWeights
  /** Known kinds of fields. */
  readonly kinds: FieldKinds
  /** What callers' documents have in the fields of filters. */
  readonly values: KeptValues
}

/**
 * @param rules with their own settings
 * @throws QuerentError `missing-file` or `bad-policy` for a policy file
 */
export async function prepareSettings(
  {
    policy,
    rerank,
    retries,
    resilience,
    workers = defaultThreads(),
    concurrency,
    maxDelay,
    chatTimeout,
    budget: ceiling,
    filters,
    fallback,
    fusion,
    ...rest
  }: CheckedOptions,
  rules: readonly ReadRule<SearchSettings>[],
): Promise<SearchSettings> {
  const plain = await makePolicy(policy, rerank, workers)
  const reranker = typeof rerank === 'object' ? rerank : plain.rerank
  const safe = await fallingBackTo(fallback, plain.policy, { workers, rerank: reranker ?? false })
  const made = { ...plain, policy: await filteredBy(filters, safe) }
  const { name, reads: isReading = true } = plain.policy
  const reads = made.policy.reads !== false || reranker !== undefined
  const leaves = (isReading && name !== 'local') || (reranker !== undefined && reranker.stays !== true)
  const budget = budgetOf(made.policy.budget, {
    ...ceiling,
    ...(chatTimeout !== undefined && { askTimeout: chatTimeout }),
  })
  const isNone = name === 'none' && reranker === undefined && filters === undefined && rules.length === 0
  const isComputed =
    rest.chat === undefined && reranker?.waits !== true && (name === 'local' || reranker !== undefined)
  const shared = {
    limits: engineLimits(retries, resilience),
    load: createLoad({
      maxSearches: concurrency ?? (isComputed ? 4 * Math.max(1, workers) : 128),
      maxDelay,
    }),
    weights: createHitWeights(),
    kinds: createFieldKinds({ texts: rest.texts, timeout: rest.legTimeout }),
    values: keptValues(),
  }
  // One process has one load, whichever rule a search falls under.
  const byIndex = rules.map((rule) => ({
    ...rule,
    settings: rule.settings && { ...rule.settings, ...shared },
  }))
  // The re-ranker of a local policy explains its places. Any other was chosen by the application.
  const isChosen = typeof rerank === 'object' && rerank.explain === undefined
  return {
    ...rest,
    ...made,
    ...shared,
    ...{ reads, leaves, isNone, isChosen, budget },
    fusion: await makeFusion(fusion),
    rerank: reranker,
    rules: byIndex,
  }
}

/** @param given a policy, its name, or the path of its file */
async function makePolicy(
  given: string | Policy,
  rerank: boolean | Reranker,
  workers: number,
): Promise<LocalPolicy> {
  if (typeof given === 'object') return { policy: given }
  const named = namedPolicy(given, { workers })
  if (named !== undefined) return named.make([], { rerank })
  const { localPolicy } = await import('../../../../policies/local/local-policy.ts')
  return localPolicy({ rerank, workers, file: given })
}

async function makeFusion(given: string | Fusion): Promise<Fusion> {
  if (typeof given === 'object') return given
  if (given === 'rank-score') return rankScore()
  const { fusionByName } = await import('../../../../fusion/index.ts')
  return fusionByName(given)
}
