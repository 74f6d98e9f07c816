/**
 * The local policy: it uses only its own small models. It reads the original query's results, and predicts what each of a few plans
 * (`plans.ts`) would gain. It searches the texts of the best plan, or leaves the query alone.
 */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { decisionOf } from '../../src/dedupe.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Policy, SearchText } from '../../src/policy.ts'
import type { DocumentOf } from '../../src/reranker.ts'
import { parseDocument } from '../../src/text/parse-document.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { Leg, Query, RankedList } from '../../src/types.ts'
import type { Considered } from './decision/considered.ts'
import { type DecisionSection, prepareDecision } from './decision/decision.ts'
import { defaultEffort, type Effort, effortNames } from './decision/effort.ts'
import { alone, reasonOf } from './decision/reason.ts'
import { searchesOf, widerSubQueries } from './decision/wider-pool.ts'
import { asksForTitle } from './rerank/known-item.ts'
import { poolDocids } from './rerank/pool.ts'
import { questionOf } from './rerank/pool-cache.ts'

export interface LocalOptions {
  /**
   * The maximum number of second-stage sub-queries, including those that only widen the pool for re-ranking; 0 to 12. Default:
   * 12.
   */
  readonly maxSecondStage?: number | undefined
  /**
   * How much a request has to bring: `low` searches sub-queries only where they should bring 5 points of the metric (the mean of
   * nDCG@10 and recall@5, in %), `medium` 2, `high` half a point. Default: `medium`.
   */
  readonly effort?: Effort | undefined
}

export interface DecideOptions extends LocalOptions {
  /** Whether a re-ranker follows, so that lists that do not vote are of use too. Default: false. */
  readonly reranks?: boolean | undefined
}

/** The upper limit of `maxSecondStage`. */
export const secondStageLimit = 12

const optionsSchema = z.strictObject({
  maxSecondStage: z.int().min(0).max(secondStageLimit).default(secondStageLimit),
  effort: z.enum(effortNames).default(defaultEffort),
  reranks: z.boolean().default(false),
})

/** How many hits of each list are checked for the title that a query may ask for. */
const maxTitles = 3

/** The options with their defaults. @throws QuerentError `bad-config` naming the wrong option */
export const localOptions = (options: DecideOptions): z.output<typeof optionsSchema> =>
  parseConfig(optionsSchema, options, 'local')

/** The policy's decision as plain data. */
export interface Decided {
  /** The chosen texts, then those that do not vote: re-ranking chooses from their documents. */
  readonly texts: readonly SearchText[]
  /** Whether the original query votes with the chosen texts. */
  readonly withOriginal: boolean
  readonly reason: string
  /** Absent if the query was left alone before plans were made. */
  readonly considered?: Considered
}

/**
 * Decides from the original query's results. Once the signal has aborted, a decision that has not begun is not made.
 *
 * @param maxTexts the maximum number of texts to search, those that do not vote included: the search's budget
 */
export type Decide<Result = Decided | Promise<Decided>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  maxTexts: number,
  signal?: AbortSignal,
) => Result

/** The policy on top of a `Decide`, which may run in this thread or in others. */
export function deciding(decide: Decide): Policy {
  return {
    name: 'local',
    reads: true,
    async run(query, tools) {
      const original = await tools.original()
      const lists = answered(original)
      const documentOf: DocumentOf = await tools.documents(poolDocids(lists, query.text))
      const decided = await decide(query, lists, documentOf, tools.budget.subQueries, tools.signal)
      const { texts, withOriginal, reason, considered } = decided
      const chosen = texts.filter(({ votes = true }) => votes).map(({ text }) => text)
      tools.decide(decisionOf(query.text, chosen), reason, considered)
      const voting = await tools.retrieve(texts, { reason })
      return { hits: tools.fuse(chosen.length > 0 && withOriginal ? [...original, ...voting] : voting) }
    },
  }
}

/**
 * @param reader may be shared with the re-ranker
 * @throws QuerentError `bad-config` naming the wrong option, or if the section was trained on other features
 */
export function prepareDecide(
  section: DecisionSection,
  reader: Reader,
  options: DecideOptions = {},
): Decide<Decided> {
  const { maxSecondStage, effort, reranks } = localOptions(options)
  const decide = prepareDecision(section, reader, effort)

  return (query, lists, documentOf, maxTexts) => {
    if (asksForOneOf(query, lists, documentOf, reader))
      return {
        texts: [],
        withOriginal: true,
        reason: alone('one of the first hits has the title that is asked for'),
      }
    const decision = decide(query, lists, documentOf, { maxTexts, maxSecondStage })
    const { plan, isSure, considered } = decision
    const chosen = searchesOf(plan)
    const isWider = reranks && (plan !== undefined || !isSure)
    const wider = isWider ? widerSubQueries(decision.stage, chosen, maxSecondStage) : []
    const texts = [...chosen, ...wider].slice(0, maxTexts)
    return {
      texts,
      withOriginal: plan?.withOriginal ?? true,
      reason: reasonOf(decision, texts.length - chosen.length),
      considered,
    }
  }
}

/** Whether one of the first documents has the title that the query asks for: other words could only find other documents. */
function asksForOneOf(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): boolean {
  reader.begin()
  const { text } = questionOf(query, reader)
  return lists.some(({ hits }) =>
    hits.slice(0, maxTitles).some(({ docid }) => {
      const document = documentOf(docid)
      if (document?.title === undefined) return false
      const titled = parseDocument({ ...document, text: '' }, reader.lexicon)
      return asksForTitle(text, titled, reader.lexicon)
    }),
  )
}

/** The legs with an answer. @throws the first leg's error if none has one */
function answered(legs: readonly Leg[]): RankedList[] {
  const lists = legs.filter((leg) => leg.error === undefined)
  if (lists.length > 0) return lists
  throw legs[0]?.error ?? new QuerentError('retriever-failed', 'No retriever answered the query as it is')
}
