/**
 * ACQO (adaptive complex query optimization). One prompt decides whether to keep, rewrite or split the query and writes the
 * sub-queries. All retrievers search all sub-queries at once, and rank-score fusion merges the lists (the paper's section 3.3,
 * eq. 1-2).
 */
import { z } from 'zod'
import { count, parseConfig } from '../../src/config.ts'
import { decisionOf } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import { rewritePrompt, type Template } from './prompt.ts'

export interface AcqoOptions {
  /** The maximum number of sub-queries; the first ones are searched. Default: 3, as in the paper. */
  readonly maxSubQueries?: number | undefined
  /** Whether the model may split a query. `false` is the paper's prompt of Figure 7b. Default: true. */
  readonly decompose?: boolean | undefined
  /** Whether the original query's lists are fused with those of a rewrite. Default: false. */
  readonly withOriginal?: boolean | undefined
  /** Whether the model must answer with the bare object, as in training. Default: false. */
  readonly strict?: boolean | undefined
  /** Your own text for the prompt. */
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

/** @throws QuerentError `bad-config` naming the wrong option */
export function acqo(options: AcqoOptions = {}): Policy {
  const { withOriginal, template, ...settings } = parseConfig(optionsSchema, options, 'acqo')
  const rewrite = rewritePrompt({ ...settings, template })
  return {
    name: 'acqo',
    reads: false,
    prompts: [rewrite.name],
    agents: [rewrite.name],
    async run({ text, history = [], intent }, tools) {
      const texts = await tools.ask(rewrite, { question: text, history, intent })
      const reason = `the model answered with ${texts.length} of at most ${settings.maxSubQueries}`
      tools.decide(decisionOf(text, texts), reason)
      const legs = await tools.retrieve(
        texts.map((rewritten) => ({ text: rewritten })),
        { reason },
      )
      // A set, because `legs` already contains the original query's legs if the model kept the query.
      const voting = withOriginal ? new Set([...(await tools.original()), ...legs]) : legs
      return { hits: tools.fuse([...voting]) }
    },
  }
}
