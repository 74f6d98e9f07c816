/** The options of SPARKLE. */
import { z } from 'zod'
import { count, having } from '../../src/config.ts'
import type { Embedder } from '../../src/types.ts'
import { type AnsweringOptions, answeringShape } from '../reading/options.ts'
import type { Asked } from '../reading/question.ts'
import { type Rule, rulesFor } from '../reading/rules.ts'
import type { Formulated } from './parse.ts'
import type { FormulateInput, IntegrateInput, ThinkInput, Thinking } from './prompts.ts'
import { sentencesAsTriples, type Triple, type TripleStore } from './triples.ts'

/** What can stand in place of each prompt. */
export interface SparkleRules {
  /** Gives the question of a conversation in words that stand alone. */
  readonly 'reading/standalone'?: Rule<Asked, string>
  /** Gives the next thought or the answer. */
  readonly 'sparkle/think'?: Rule<ThinkInput, Thinking>
  /** Gives whether the last thought needs a search. Always `true` is the paper's "w/o RD Agent". */
  readonly 'sparkle/decide'?: Rule<ThinkInput, boolean>
  /** Gives a reasoning chain, which may be empty, and a query. The last thought as the query is the paper's "w/o QF Agent". */
  readonly 'sparkle/formulate'?: Rule<FormulateInput, Formulated>
  /** Gives the chosen candidates, as many as it likes. Their documents join the context. */
  readonly 'sparkle/integrate'?: Rule<IntegrateInput, readonly Triple[]>
}

export interface SparkleOptions extends AnsweringOptions {
  /** Where the facts of documents come from. Default: `sentencesAsTriples()`, the first sentences of each document. */
  readonly triples?: TripleStore | undefined
  /** Compares facts with the query, to show the 20 best, as in the paper. Default: none, BM25 compares them. */
  readonly embedder?: Embedder | undefined
  /** The maximum number of thoughts, from 1 to 30. Then the model must answer. Default: 8. */
  readonly maxSteps?: number | undefined
  /** The maximum number of searches that thoughts lead to, from 1 to 20. Default: 5. */
  readonly maxRounds?: number | undefined
  /** Whether the question is searched before the first thought, which then sees five documents. Default: false, as in the paper. */
  readonly firstRetrieval?: boolean | undefined
  /** Whether thoughts are put as a reasoning chain before the query. `false` is the paper's "w/ Direct QF Agent". Default: true. */
  readonly chain?: boolean | undefined
  /** Functions in place of prompts, by the prompt's name. A prompt with a rule needs no model. Default: none. */
  readonly rules?: SparkleRules | undefined
}

export const optionsSchema = z.strictObject({
  ...answeringShape(90_000),
  triples: having<TripleStore>('a store of triples', 'of').default(sentencesAsTriples),
  embedder: having<Embedder>('an embedder', 'embed').optional(),
  maxSteps: count.max(30).default(8),
  maxRounds: count.max(20).default(5),
  firstRetrieval: z.boolean().default(false),
  chain: z.boolean().default(true),
  rules: rulesFor<SparkleRules>([
    'reading/standalone',
    'sparkle/think',
    'sparkle/decide',
    'sparkle/formulate',
    'sparkle/integrate',
  ]).default({}),
})
