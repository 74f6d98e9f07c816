/**
 * ACQO (adaptive complex query optimization): one prompt decides whether the query is kept, rewritten or split and
 * writes the sub-queries; all are searched at once in all retrievers and merged with rank-score fusion (the paper's
 * section 3.3, eq. 1-2).
 */
import { z } from 'zod'
import { count, parseConfig } from '../../src/config.ts'
import { decisionOf } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import { rewritePrompt, type Template } from './prompt.ts'

export interface AcqoOptions {
  /** Sub-queries searched at the most; the first ones are kept. Default: 3, as in the paper. */
  readonly maxSubQueries?: number | undefined
  /** Whether the model may split a query. `false` is the paper's prompt of Figure 7b. Default: true. */
  readonly decompose?: boolean | undefined
  /** Whether the original query's lists take part in the fusion beside those of a rewrite. Default: false. */
  readonly withOriginal?: boolean | undefined
  /** Whether an answer must be the bare object, as in training. Default: false. */
  readonly strict?: boolean | undefined
  /** Other words for the prompt. */
  readonly template?: Template | undefined
}

const optionsSchema = z.strictObject({
  maxSubQueries: count.max(15).default(3),
  decompose: z.boolean().default(true),
  withOriginal: z.boolean().default(false),
  strict: z.boolean().default(false),
  template: z
    .custom<Template>((value) => typeof value === 'string' || typeof value === 'function')
    .optional(),
})

/** @throws QuerentError `bad-config` that names the wrong option */
export function acqo(options: AcqoOptions = {}): Policy {
  const { withOriginal, template, ...settings } = parseConfig(optionsSchema, options, 'acqo')
  const rewrite = rewritePrompt({ ...settings, template })
  return {
    name: 'acqo',
    reads: false,
    prompts: [rewrite.name],
    async run({ text, history = [] }, tools) {
      const texts = await tools.ask(rewrite, { question: text, history })
      const reason = `the model answered with ${texts.length} of at most ${settings.maxSubQueries}`
      tools.decide(decisionOf(text, texts), reason)
      const legs = await tools.retrieve(
        texts.map((rewritten) => ({ text: rewritten })),
        { reason },
      )
      // A set, since the original's legs are among `legs` already where the model kept the query.
      const voting = withOriginal ? new Set([...(await tools.original()), ...legs]) : legs
      return { hits: tools.fuse([...voting]) }
    },
  }
}
