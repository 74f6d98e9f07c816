/** The options of `agentic`. */
import { z } from 'zod'
import { count, having, milliseconds } from '../../src/config.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'

export interface AgenticOptions {
  /**
   * What searches the question, and each query that the model writes; `none()` for plain searches. It must not ask a model. Default: the
   * bundled local policy that fits the retrievers, with its re-ranking.
   */
  readonly policy?: Policy | undefined
  /** Orders what each search finds, by its own text. Default: that of the local policy; nothing beside a `policy`. */
  readonly rerank?: Reranker | undefined
  /** The maximum number of prompts, 1 to 10. All but the last may ask for further searches. Default: 2. */
  readonly maxRounds?: number | undefined
  /**
   * The form of an answer: a few words (`short`), sentences with marks such as `[1]`, the place in `citations` (`long`), or what fits the
   * question (`auto`). Default: `auto`.
   */
  readonly answer?: 'short' | 'long' | 'auto' | undefined
  /**
   * Whether a search that wants no answer asks the model `always`, or only where it is `needed`: not where the local policy leaves the
   * question alone and its first hit is certain. Default: `needed`.
   */
  readonly askWhen?: 'needed' | 'always' | undefined
  /** Whether the model must write the format and nothing else, as in training, and "unknown" is an answer. Default: false. */
  readonly strict?: boolean | undefined
  /** Milliseconds for the whole search. Default: 60,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for each prompt. Models that think before they write take most of them. Default: 25,000. */
  readonly askTimeout?: number | undefined
}

export const optionsSchema = z.strictObject({
  policy: having<Policy>('a policy', 'run').optional(),
  rerank: having<Reranker>('a re-ranker', 'rerank').optional(),
  maxRounds: count.max(10).default(2),
  answer: z.enum(['short', 'long', 'auto']).default('auto'),
  askWhen: z.enum(['needed', 'always']).default('needed'),
  strict: z.boolean().default(false),
  timeout: milliseconds.default(60_000),
  askTimeout: milliseconds.default(25_000),
})
