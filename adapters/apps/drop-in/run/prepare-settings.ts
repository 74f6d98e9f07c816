/** What optimized searches are made with: loads what the options choose, and nothing else. */
import { rankScore } from '../../../../fusion/rank-score.ts'
import { type PolicySettings, policyByName } from '../../../../policies/by-name.ts'
import { fallingBackTo } from '../../../../policies/fallback.ts'
import { filteredBy } from '../../../../policies/filters/filtered-by.ts'
import type { LocalPolicy } from '../../../../policies/local/local-policy.ts'
import { type Budget, budgetOf, type FullBudget } from '../../../../src/budget.ts'
import { checkPrompts } from '../../../../src/check-setup.ts'
import type { Policy } from '../../../../src/policy.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import { defaultThreads } from '../../../../src/runtime/threads.ts'
import { isPolicyNamed, isShipped } from '../../../../src/shipped.ts'
import type { ChatModel, Fusion } from '../../../../src/types.ts'
import { withRecency } from '../../../../src/with-recency.ts'
import { withRelaxing } from '../../../../src/with-relaxing.ts'
import { type KeptValues, keptValues } from '../../../search/cluster/aggregated-values.ts'
import { createHitWeights, type HitWeights } from '../plan/fetch-plan.ts'
import { createFieldKinds, type FieldKinds } from './field-kinds.ts'
import { createLoad, type Load } from './load.ts'
import type { CheckedOptions } from './options.ts'
import { type EngineLimits, engineLimits } from './resilient-engine.ts'
import type { Rollout, RolloutOptions } from './rollout.ts'
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
  | 'share'
  | 'shadow'
  | 'interleave'
  | 'isOff'

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
  /** The policy of one search, with what comes last: where it found nothing, and age. */
  readonly finished: (policy: Policy, reranker: Reranker | undefined) => Policy
  /** Whether the policy or its re-ranker reads texts of hits. */
  readonly reads: boolean
  /** Whether these texts may leave the process. */
  readonly leaves: boolean
  readonly budget: FullBudget
  readonly limits: EngineLimits
  /** The maximum number of searches that are optimized at a time. */
  readonly concurrency: number
  readonly load: Load
  /** Sizes of earlier hits. */
  readonly weights: HitWeights
  /** Known kinds of fields. */
  readonly kinds: FieldKinds
  /** What callers' documents have in the fields of filters. */
  readonly values: KeptValues
  /** Who gets optimized searches. Undefined: everybody. */
  readonly rollout?: Rollout | undefined
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
    share,
    shadow,
    interleave,
    isOff,
    ...rest
  }: CheckedOptions,
  rules: readonly ReadRule<SearchSettings>[],
): Promise<SearchSettings> {
  const settings = { workers, chatTimeout }
  const plain = await makePolicy(policy, rerank, settings, rest.chat)
  const reranker = plain.rerank
  const safe = await fallingBackTo(fallback, plain.policy, { workers, rerank: reranker ?? false })
  const made = { ...plain, policy: await filteredBy(filters, safe) }
  const waits = reranker?.waits === true
  const isLocal = isPolicyNamed('local', plain.policy)
  const reads = made.policy.reads !== false || reranker !== undefined
  const leaves =
    (plain.policy.reads !== false && !isLocal) || (reranker !== undefined && reranker.stays !== true)
  const isNone =
    isPolicyNamed('none', plain.policy) &&
    reranker === undefined &&
    filters === undefined &&
    rest.relax === false &&
    rest.recency === undefined &&
    rules.length === 0
  const isComputed = rest.chat === undefined && !waits && (isLocal || reranker !== undefined)
  const own = concurrency ?? (isComputed ? 4 * Math.max(1, workers) : 128)
  const maxSearches = Math.min(own, ...rules.map(({ settings }) => settings?.concurrency ?? own))
  const shared = {
    limits: engineLimits(retries, resilience),
    concurrency: maxSearches,
    load: createLoad({ maxSearches, maxDelay }),
    weights: createHitWeights(),
    values: keptValues(),
  }
  // One process has one load, whichever rule a search falls under.
  const byIndex = rules.map((rule) => ({
    ...rule,
    settings: rule.settings && { ...rule.settings, ...shared },
  }))
  return {
    ...rest,
    ...made,
    ...shared,
    ...{ reads, leaves, isNone },
    kinds: createFieldKinds({ texts: rest.texts, timeout: rest.legTimeout }),
    isChosen: typeof rerank === 'object' && !isShipped(rerank),
    budget: fullBudget(made.policy.budget, {
      ceiling: { ...ceiling, ...(chatTimeout !== undefined && { askTimeout: chatTimeout }) },
      waits,
    }),
    fusion: await makeFusion(fusion),
    finished: (policy, last) => withRecency(withRelaxing(policy, rest.relax, last), rest.recency),
    rerank: reranker,
    rules: byIndex,
    rollout: await rolloutOf({ share, shadow, interleave, isOff }),
  }
}

async function rolloutOf(options: RolloutOptions): Promise<Rollout | undefined> {
  if (Object.values(options).every((value) => value === undefined)) return undefined
  const { openRollout } = await import('./rollout.ts')
  return openRollout(options)
}

/**
 * What a search may cost. A policy that does not say how long it takes has time for a prompt, and a re-ranker that waits for a server
 * a minute beside the policy's time, unless there is a ceiling.
 */
function fullBudget(
  declared: Budget | undefined,
  { ceiling, waits }: { readonly ceiling: Budget; readonly waits: boolean },
): FullBudget {
  const budget = budgetOf(declared, ceiling)
  if (ceiling.timeout !== undefined) return budget
  const deciding = declared?.timeout ?? Math.max(budget.timeout, budget.askTimeout + 2000)
  return { ...budget, timeout: deciding + (waits ? 60_000 : 0) }
}

/**
 * @param given a policy, its name, or the path of its file
 * @throws QuerentError `bad-config` if there is no chat model for the policy of a module
 */
async function makePolicy(
  given: string | Policy,
  rerank: boolean | Reranker,
  settings: PolicySettings,
  chat: ChatModel | undefined,
): Promise<LocalPolicy> {
  const chosen = typeof rerank === 'object' && { rerank }
  if (typeof given === 'object') return { policy: given, ...chosen }
  const named = await policyByName(given, settings)
  const made = await named.make([], { rerank })
  checkPrompts(made.policy, () => chat)
  return named.reranks === 'each search' ? made : { ...made, ...chosen }
}

async function makeFusion(given: string | Fusion): Promise<Fusion> {
  if (typeof given === 'object') return given
  if (given === 'rank-score') return rankScore()
  const { fusionByName } = await import('../../../../fusion/index.ts')
  return fusionByName(given)
}
