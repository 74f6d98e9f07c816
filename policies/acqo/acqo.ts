/**
 * ACQO (adaptive complex query optimization). One prompt decides whether to keep, rewrite or split the query and writes the
 * sub-queries. All retrievers search all sub-queries at once, and rank-score fusion merges the lists (the paper's section 3.3,
 * eq. 1-2). With `rounds: 2`, the model looks at what was found and may search once more.
 *
 * @module querent/policies/acqo
 */
import { z } from 'zod'
import { refersElsewhere } from '../../src/completion/refers.ts'
import { count, milliseconds, parseConfig } from '../../src/config.ts'
import { decisionOf, searchKey, withFewNew, withoutRepeats } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import type { RerankedOutcome } from '../../src/with-rerank.ts'
import { followUpPrompt, lookAgain } from './follow-up.ts'
import { rewritePrompt, type Template } from './prompt.ts'

export interface AcqoOptions {
  /** The maximum number of sub-queries; the first ones are searched, as far as the budget allows. Default: 3, as in the paper. */
  readonly maxSubQueries?: number | undefined
  /** Whether the model may split a query. `false` is the paper's prompt of Figure 7b. Default: true. */
  readonly decompose?: boolean | undefined
  /** Whether the original query's lists are fused with those of a rewrite. Default: false. */
  readonly withOriginal?: boolean | undefined
  /**
   * 2 adds a second look: the model reads the best documents of its sub-queries, and may write one more batch of at most as many. If
   * it does not answer, the first batch stands. Default: 1, as in the paper.
   */
  readonly rounds?: 1 | 2 | undefined
  /** Whether the model must answer with the bare object, as in training. Default: false. */
  readonly strict?: boolean | undefined
  /** Your own text for the prompt. */
  readonly template?: Template | undefined
  /** Milliseconds for the whole search, if it has two rounds. Default: 10,000. */
  readonly timeout?: number | undefined
}

const optionsSchema = z.strictObject({
  maxSubQueries: count.max(15).default(3),
  decompose: z.boolean().default(true),
  withOriginal: z.boolean().default(false),
  rounds: z.union([z.literal(1), z.literal(2)], 'must be 1 or 2').default(1),
  strict: z.boolean().default(false),
  template: z
    .custom<Template>((value) => typeof value === 'string' || typeof value === 'function')
    .optional(),
  timeout: milliseconds.default(10_000),
})

/** @throws QuerentError `bad-config` naming the wrong option */
export function acqo(options: AcqoOptions = {}): Policy {
  const { withOriginal, rounds, template, timeout, ...settings } = parseConfig(optionsSchema, options, 'acqo')
  const { maxSubQueries } = settings
  const rewrite = rewritePrompt({ ...settings, template })
  const followUp = followUpPrompt(settings.decompose ? maxSubQueries : 1)
  const looksAgain = rounds === 2
  return {
    name: 'acqo',
    ...(looksAgain ? { budget: { rounds, subQueries: 2 * maxSubQueries, timeout } } : { reads: false }),
    prompts: looksAgain ? [rewrite.name, followUp.name] : [rewrite.name],
    agents: [rewrite.name],
    async run({ text, history = [], intent }, tools): Promise<RerankedOutcome> {
      const written = await tools.ask(rewrite, { question: text, history, intent })
      const said = [text, ...history.map((turn) => turn.text)].join('\n')
      const named = written.filter((one) => !refersElsewhere(one, said))
      const answered = withoutRepeats(named.map((one) => ({ text: one }))).map((one) => one.text)
      const texts = withFewNew(answered, [text], tools.budget.subQueries)
      const cut = texts.length < answered.length ? `, and the budget allows ${texts.length} of them` : ''
      const reason = `the model answered with ${answered.length} of at most ${maxSubQueries}${cut}`
      tools.decide(decisionOf(text, texts), reason)
      const subQueries = texts.map((rewritten) => ({ text: rewritten }))
      const first = await tools.retrieve(subQueries, { reason })

      const original = withOriginal ? await tools.original() : []
      const isRewrite = texts.length === 1 && searchKey(texts[0]!) !== searchKey(text)
      const rewritten = looksAgain && isRewrite ? { rewritten: texts[0]! } : {}
      const asked = { question: text, history, intent, searched: texts }
      const second = looksAgain ? await lookAgain(followUp, asked, first, tools) : undefined
      // A set, because the first legs are the original query's if the model kept the query.
      const ofFirst = [...new Set([...original, ...first])]
      if (second === undefined) return { hits: tools.fuse(ofFirst), ...rewritten }
      tools.decide(decisionOf(text, [...texts, ...second.texts]), `${reason}; ${second.reason}`)
      // Each text of the second look is a question of its own.
      const further = second.texts.map((own) => {
        const legs = second.legs.filter(({ subQuery }) => searchKey(subQuery.text) === searchKey(own))
        return { question: own, texts: [own], hits: tools.fuse(legs) }
      })
      const parts = [{ texts: [text, ...texts], hits: tools.fuse(ofFirst) }, ...further]
      const hits = tools.fuse([...new Set([...ofFirst, ...second.legs])])
      return { hits, parts, ...rewritten }
    },
  }
}
