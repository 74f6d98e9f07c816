/** Options of an application for its optimized searches. The wrapped clients, the proxy and `querent proxy` take them. */
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { fusionNamed } from '../../../../fusion/common/names.ts'
import { isModule, isPolicyFile, namedPolicy, unknownPolicy } from '../../../../policies/by-name.ts'
import { type FallbackName, fallbackNames } from '../../../../policies/fallback.ts'
import { type FilterFields, filterFieldsSchema } from '../../../../policies/filters/fields.ts'
import { checkPolicyFile, unreadable } from '../../../../policies/local/policy-file/policy-digest.ts'
import { type Budget, budgetOf, budgetSchema } from '../../../../src/budget.ts'
import { checkPrompts } from '../../../../src/check-setup.ts'
import { count, countOrNone, having, milliseconds, parseConfig } from '../../../../src/config.ts'
import { QuerentError } from '../../../../src/errors.ts'
import {
  type RecencyOptions,
  type RelaxOptions,
  recencySchema,
  relaxSchema,
} from '../../../../src/last-steps.ts'
import type { Observer } from '../../../../src/observe.ts'
import type { Policy } from '../../../../src/policy.ts'
import { checkPrices, type Prices, pricesSchema } from '../../../../src/prices.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import type { ChatModel, Fusion } from '../../../../src/types.ts'
import type { Cache } from '../../../cache/cache.ts'
import { type ResilienceOptions, resilienceSchema } from '../../../resilience/options.ts'
import type { TextFields } from '../parse/field-kinds.ts'
import type { RolloutOptions } from './rollout.ts'
import { type RuleScope, type ruleOptions, rulesSchema } from './rules.ts'

export interface AppOptions extends RolloutOptions {
  /**
   * The policy: `local` (comes with the package), `acqo`, `mmoa`, `c3po`, `mao` or `sparkle` (need `chat`), `none` (every search
   * passes through), the path of a file that `querent train` wrote (a name with `/` or `.json`) or of a module whose default export is
   * a policy (`.mjs`, `.js`; `warm()` or the first search checks what both say), or your own policy. Default: `local`.
   */
  readonly policy?: string | Policy | undefined
  /**
   * Whether the local policy, or a policy from a file, re-ranks. Re-ranking reads the first `window` hits of each search.
   * `false`: Querent sends the caller's own body, and a query that the policy leaves alone costs nothing. Default: true.
   */
  readonly rerank?: boolean | Reranker | undefined
  /**
   * How much the engine's own order weighs beside the re-ranker's, from 0 to 1. Default: 0. The local policy's re-ranking reads that
   * order, too.
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
  /**
   * Milliseconds for one prompt of the chat model. Policies that ask several times get more for the whole search, too. A policy of your
   * own that declares less keeps that. Default: the policy's own value, or 3000.
   */
  readonly chatTimeout?: number | undefined
  /**
   * The most that what Querent adds to a search may cost: the ceiling for what the policy declares, and the value of what it does
   * not declare. A search whose budget is spent gets what was found until then, or the engine's own answer. `timeout` counts from the
   * engine's own answer. Default: no ceiling. A policy that declares no `timeout` has 5 s, or 2 s more than a prompt, if that is longer;
   * with a re-ranker that `waits`, a minute more.
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
   * unchanged. Default: 4 for each of the `workers`, at least 4, where the local policy or a re-ranker computes in this process, be it
   * for one of the `rules`; 128 where neither does, with a chat model, and with a re-ranker that `waits`.
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
   * Where a search finds nothing: one more `_msearch` that gives up some of what was asked for, first how words are spelled, then how
   * many of them a document has. The answer then has `_querent.nothingFound`. `{ droppable: ['brand'] }` names fields whose filters may be
   * left out. Default: false.
   */
  readonly relax?: boolean | RelaxOptions | undefined
  /**
   * New documents first, where queries ask for what is new: `{ field: 'updated', halfLife: 30 }`, in days. Default: age counts as far as
   * the engine makes it count.
   */
  readonly recency?: RecencyOptions | undefined
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

const share = z.number().min(0).max(1)

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
  share: z.union([share, z.strictObject({ share, by: z.string().min(1).optional() })]).optional(),
  shadow: z
    .union([
      z.boolean(),
      z.strictObject({ log: z.string().min(1).optional(), words: z.boolean().optional() }),
    ])
    .optional(),
  isOff: z.custom<() => boolean>((value) => typeof value === 'function', 'must be a function').optional(),
  interleave: share.optional(),
  filters: z.custom<FilterFields>().optional(),
  relax: relaxSchema.default(false),
  recency: recencySchema.optional(),
  rules: rulesSchema.default([]),
  workers: countOrNone.optional(),
  concurrency: count.optional(),
  maxDelay: milliseconds.default(100),
  explain: z.boolean().default(false),
  retries: countOrNone.max(100).default(2),
  resilience: z.custom<ResilienceOptions>().optional(),
})

/** Options that were found to be right, with their defaults. */
export type CheckedOptions = z.output<typeof optionsSchema>

/**
 * Checks options without loading what they choose.
 *
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file` or `bad-policy` for a policy file that cannot be read, was cut or was edited
 */
export function checkOptions(options: AppOptions, where: string): CheckedOptions {
  const checked = parseConfig(optionsSchema, options, where)
  const { policy, rerank, chat, budget, filters, fusion, prices, resilience } = checked
  if (filters !== undefined) parseConfig(filterFieldsSchema, filters, `${where}: filters`)
  if (typeof policy === 'string') checkName(policy, chat, where)
  else checkPrompts(policy, () => chat)
  if (typeof fusion === 'string') fusionNamed(fusion)
  // Policies and re-rankers that have a name declare no dollars, and ask no other model.
  const declared = typeof policy === 'object' ? policy.budget : undefined
  const { models = [] } = typeof rerank === 'object' ? rerank : {}
  checkPrices(budgetOf(declared, budget), [chat, ...models], prices)
  if (resilience !== undefined) parseConfig(resilienceSchema, resilience, `${where}: resilience`)
  return checked
}

/** That a file is complete and unedited is checked now; that this version can use it, when the policy is loaded. */
function checkName(policy: string, chat: ChatModel | undefined, where: string): void {
  const named = namedPolicy(policy)
  if (named?.asks === true && chat === undefined)
    throw new QuerentError(
      'bad-config',
      `${where}: the policy ${named.name} asks a chat model, and there is none`,
      { remedy: 'Pass `chat`, openaiChat({ … }) of querent/models for one.' },
    )
  if (named !== undefined) return
  if (!isPolicyFile(policy)) throw unknownPolicy(policy, 'policies of your own, as objects or modules')
  // A module runs when it is loaded.
  if (!isModule(policy)) checkPolicyFile(policy)
  else if (!existsSync(policy)) throw unreadable(policy)
}
