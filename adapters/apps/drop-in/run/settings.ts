/** Options of an application for its optimized searches. The wrapped clients, the proxy and `querent proxy` take them. */
import { z } from 'zod'
import { fusionByName } from '../../../../fusion/index.ts'
import { isPolicyFile, type NamedPolicy, namedPolicy, unknownPolicy } from '../../../../policies/by-name.ts'
import { type FilterFields, filterFieldsSchema } from '../../../../policies/filters/fields.ts'
import { filteredBy } from '../../../../policies/filters/filtered-by.ts'
import type { PolicyFile } from '../../../../policies/local/policy-file.ts'
import { readPolicySync } from '../../../../policies/local/policy-store.ts'
import { type FallbackName, fallbackNames, fallingBackTo } from '../../../../policies/with-fallback.ts'
import { type Budget, budgetOf, budgetSchema, type FullBudget } from '../../../../src/budget.ts'
import { checkPrompts } from '../../../../src/check-setup.ts'
import { count, countOrNone, having, milliseconds, parseConfig } from '../../../../src/config.ts'
import { QuerentError } from '../../../../src/errors.ts'
import type { Observer } from '../../../../src/observe.ts'
import type { Policy } from '../../../../src/policy.ts'
import { checkPrices, type Prices, pricesSchema } from '../../../../src/prices.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import { defaultThreads } from '../../../../src/runtime/threads.ts'
import type { ChatModel, Fusion } from '../../../../src/types.ts'
import type { Cache } from '../../../cache/cache.ts'
import type { ResilienceOptions } from '../../../resilience/options.ts'
import { type KeptValues, keptValues } from '../../../search/cluster/aggregated-values.ts'
import type { TextFields } from '../parse/field-kinds.ts'
import { createHitWeights, type HitWeights } from '../plan/fetch-plan.ts'
import { createFieldKinds, type FieldKinds } from './field-kinds.ts'
import { createLoad, type Load } from './load.ts'
import { type EngineLimits, engineLimits } from './resilient-engine.ts'
import { openRules, type ReadRule, type RuleScope, type ruleOptions, rulesSchema } from './rules.ts'

export interface AppOptions {
  /**
   * The policy: `local` (comes with the package), `acqo`, `mmoa`, `c3po`, `mao` or `sparkle` (need `chat`), `none` (every search passes through), the path of a file
   * that `querent train` wrote (a name with `/` or `.json`), or your own policy. Default: `local`.
   */
  readonly policy?: string | Policy | undefined
  /**
   * Whether the local policy, or a policy from a file, re-ranks. Re-ranking reads the first `window` hits of each search.
   * `false`: Querent sends the caller's own body, and a query that the policy leaves alone costs nothing. Default: true.
   */
  readonly rerank?: boolean | Reranker | undefined
  /**
   * How much the engine's own order weighs beside the re-ranker's, from 0 to 1. Default: nothing where the words are all that ranks and
   * each place of them counts the same; where fields or clauses have boosts of their own, what judged searches taught.
   */
  readonly engineWeight?: number | undefined
  /** The chat model for `acqo`, `mmoa`, `c3po`, `mao`, `sparkle` or your own policy. */
  readonly chat?: ChatModel | undefined
  /**
   * What decides if the chat model of the policy fails: `local`, the policy that comes with the package, or `none`, and the answer is the
   * engine's own. Re-ranking stays as it is. Default: `none`.
   */
  readonly fallback?: FallbackName | undefined
  /**
   * Keeps completions of the chat model for each caller: `createCache` of `querent/cache`. Then the same search asks the model once,
   * and processes that share a store agree on the pages of a search. Default: a process keeps completions for five minutes, for
   * the next pages only.
   */
  readonly cache?: Cache | undefined
  /** The fusion method: a name from `querent/fusion`, or your own method. Default: `rank-score`. */
  readonly fusion?: string | Fusion | undefined
  /**
   * How deep fused pages go. The caller's own list continues behind them. Also the number of hits of the caller's own list that
   * re-ranking reads. 60 brings a point of nDCG@10 more, and takes 1.8 times as long. Default: 20.
   */
  readonly window?: number | undefined
  /** The fields with a hit's title and text, for the local policy. Default: taken from the body and from common field names. */
  readonly texts?: TextFields | undefined
  /** Milliseconds for the sub-queries. Default: 2000. */
  readonly legTimeout?: number | undefined
  /** Milliseconds for one prompt of the chat model, as `budget.askTimeout`. Default: the policy's own value, or 3000. */
  readonly chatTimeout?: number | undefined
  /**
   * The most that what Querent adds to a search may cost: the ceiling for what the policy declares, and the value of what it does
   * not declare. A search whose budget is spent gets what was found until then, or the engine's own answer. Default: no ceiling.
   */
  readonly budget?: Budget | undefined
  /**
   * Dollars for a million tokens, by the name of the chat model. Traces and metrics then tell dollars, which `budget.usd` limits.
   * Default: none.
   */
  readonly prices?: Prices | undefined
  /**
   * How often Querent sends the caller's own search again if the engine cannot be reached or answers 429, 502, 503 or 504. The
   * wait between attempts grows to one second, and an answer whose `retry-after` asks for more is returned at once. In a wrapped
   * client, these retries come on top of the client's own `maxRetries`. Default: 2. A wrapped client by default retries only what
   * the client itself does not retry (429, a lost node), and nothing if the client's `maxRetries` is 0.
   */
  readonly retries?: number | undefined
  /** Limits for the requests that Querent adds; see `querent/resilience`. Default: the defaults there. */
  readonly resilience?: ResilienceOptions | undefined
  /**
   * Threads in which the local policy decides and re-ranks. All clients that one process wraps with the same policy share them.
   * 0: the event loop's thread does this work, which blocks everything else meanwhile. Default: one less than the number of
   * cores, at least 1.
   */
  readonly workers?: number | undefined
  /**
   * Maximum number of searches that are optimized at a time. Each search of an `_msearch` counts. Further searches pass through
   * unchanged. Default: 4 for each of the `workers`, at least 4; 128 with a chat model, your own policy or a re-ranker on a server.
   */
  readonly concurrency?: number | undefined
  /**
   * Milliseconds that the event loop may be late, averaged over the last fifth of a second. While it is later, Querent starts no
   * optimization if another one is under way. A busy machine alone makes it about 30 ms late. Default: 100.
   */
  readonly maxDelay?: number | undefined
  /**
   * Fields by which the words of a query may filter, as in `withFilters`: `{ price: 'EUR', 'brand.keyword': 'keyword' }`. What passes
   * stands first, and nothing is left out. Default: none.
   */
  readonly filters?: FilterFields | undefined
  /**
   * Says who searches, where the client's transport sets the user (run-as from an `AsyncLocalStorage`): what is remembered for one
   * identity is never used for another. Called in the search's own context. If it throws or returns no text, nothing is shared.
   * Default: callers differ by the client and by the headers of the request.
   */
  readonly identity?: (() => string) | undefined
  /**
   * Other options for some indices: `[{ index: 'logs-*', optimize: false }, { index: 'shop', filters: { brand: 'keyword' } }]`. The
   * first rule whose `index` fits all names of a search holds for it. Default: none.
   */
  readonly rules?: readonly Rule[] | undefined
  /** Observes all searches, including those that pass through. */
  readonly observe?: Observer | undefined
  /** Whether answers report what Querent did, under the key `_querent`. A single search may ask for it, too. Default: false. */
  readonly explain?: boolean | undefined
}

/** Options for some indices. */
export interface Rule extends RuleScope, Pick<AppOptions, (typeof ruleOptions)[number]> {}

/** The default of `window`. */
export const defaultWindow = 20

const optionsSchema = z.strictObject({
  policy: z.union([z.string().min(1), having<Policy>('a policy', 'run')]).default('local'),
  rerank: z.union([z.boolean(), having<Reranker>('a re-ranker', 'rerank')]).default(true),
  engineWeight: z.number().min(0).max(1).optional(),
  chat: having<ChatModel>('a chat model', 'complete').optional(),
  fallback: z.enum(fallbackNames, `must be ${fallbackNames.join(' or ')}`).default('none'),
  cache: having<Cache>('a cache', 'through').optional(),
  fusion: z.union([z.string(), having<Fusion>('a fusion method', 'fuse')]).default('rank-score'),
  window: count.max(10_000).default(defaultWindow),
  texts: z.strictObject({ title: z.string().optional(), text: z.array(z.string()).optional() }).default({}),
  legTimeout: milliseconds.default(2000),
  chatTimeout: milliseconds.optional(),
  budget: budgetSchema.default({}),
  prices: pricesSchema.default({}),
  identity: z.custom<() => string>((value) => typeof value === 'function', 'must be a function').optional(),
  observe: having<Observer>('an observer').optional(),
  filters: z.custom<FilterFields>().optional(),
  rules: rulesSchema.optional(),
  workers: countOrNone.optional(),
  concurrency: count.optional(),
  maxDelay: milliseconds.default(100),
  explain: z.boolean().default(false),
  retries: countOrNone.max(100).default(2),
  resilience: z.custom<ResilienceOptions>().optional(),
})

type Kept = 'engineWeight' | 'chat' | 'cache' | 'window' | 'texts' | 'legTimeout' | 'prices' | 'identity'

/** The options, with the policy loaded. */
export interface SearchSettings
  extends Readonly<Pick<z.output<typeof optionsSchema>, Kept | 'observe' | 'explain'>> {
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
 * Checks the options now. Returns a function that loads the policy.
 *
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file` or `bad-policy` for the policy
 */
export function appSettings(options: AppOptions, where: string): () => Promise<SearchSettings> {
  const parsed = parseConfig(optionsSchema, options, where)
  const {
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
    rules = [],
    fallback,
    ...rest
  } = parsed
  if (filters !== undefined) parseConfig(filterFieldsSchema, filters, `${where}: filters`)
  // Read the file now: a missing or invalid file is an error in the configuration, not in a search.
  const named = typeof policy === 'string' ? namedPolicy(policy, { workers }) : undefined
  const file = typeof policy === 'string' && named === undefined ? fileNamed(policy) : undefined
  const fusion = typeof rest.fusion === 'string' ? fusionByName(rest.fusion) : rest.fusion
  if (named?.asks === true && rest.chat === undefined) {
    throw new QuerentError(
      'bad-config',
      `${where}: the policy ${named.name} asks a chat model, and there is none`,
      {
        remedy: 'Pass `chat`, openaiChat({ … }) of querent/models for one.',
      },
    )
  }
  if (typeof policy === 'object') checkPrompts(policy, () => rest.chat)
  // Policies and re-rankers that have a name declare no dollars, and ask no other model.
  const declared = typeof policy === 'object' ? policy.budget : undefined
  const { models = [] } = typeof rerank === 'object' ? rerank : {}
  checkPrices(budgetOf(declared, ceiling), [rest.chat, ...models], rest.prices)
  const limits = engineLimits(retries, resilience)
  const weights = createHitWeights()
  const kinds = createFieldKinds({ texts: rest.texts, timeout: rest.legTimeout })
  const values = keptValues()
  const openedRules = openRules(rules, { ...options, rules: [] }, where, appSettings)
  return async () => {
    const plain = await makePolicy(file ?? named ?? policy, rerank === true, workers)
    const safe = await fallingBackTo(fallback, plain.policy, { workers })
    const made = { ...plain, policy: await filteredBy(filters, safe) }
    const reranker = typeof rerank === 'object' ? rerank : made.rerank
    const { name, reads: isReading = true } = plain.policy
    const reads = made.policy.reads !== false || reranker !== undefined
    const leaves = (isReading && name !== 'local') || (reranker !== undefined && reranker.stays !== true)
    const budget = budgetOf(made.policy.budget, {
      ...ceiling,
      ...(chatTimeout !== undefined && { askTimeout: chatTimeout }),
    })
    const ownRules = await openedRules()
    const isNone = name === 'none' && reranker === undefined && filters === undefined && ownRules.length === 0
    const isComputed =
      rest.chat === undefined && reranker?.waits !== true && (name === 'local' || reranker !== undefined)
    const load = createLoad({
      maxSearches: concurrency ?? (isComputed ? 4 * Math.max(1, workers) : 128),
      maxDelay,
    })
    const shared = { limits, load, weights, kinds, values }
    // One process has one load, whichever rule a search falls under.
    const byIndex = ownRules.map((rule) => ({
      ...rule,
      settings: rule.settings && { ...rule.settings, ...shared },
    }))
    // The re-ranker of a local policy explains its places. Any other was chosen by the application.
    const isChosen = typeof rerank === 'object' && rerank.explain === undefined
    const does = { reads, leaves, isNone, isChosen }
    return { ...rest, ...made, ...shared, ...does, budget, fusion, rerank: reranker, rules: byIndex }
  }
}

/** @throws QuerentError `bad-config` for a name that no policy has; `missing-file`, `bad-policy` for a file */
function fileNamed(policy: string): PolicyFile {
  if (isPolicyFile(policy)) return readPolicySync(policy)
  throw unknownPolicy(policy, 'policies of your own, as objects')
}

async function makePolicy(
  given: string | Policy | PolicyFile | NamedPolicy,
  rerank: boolean,
  workers: number,
): Promise<{ readonly policy: Policy; readonly rerank?: Reranker }> {
  if (typeof given === 'object' && 'run' in given) return { policy: given }
  if (typeof given === 'object' && 'make' in given) {
    const { policy, rerank: own } = await given.make([])
    return rerank && own !== undefined ? { policy, rerank: own } : { policy }
  }
  const { localPolicy } = await import('../../../../policies/local/local-policy.ts')
  return localPolicy({ rerank, workers, file: given })
}
