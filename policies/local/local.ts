/**
 * The local policy: it uses only its own small models. It reads the original query's results. It scores sets of sub-queries made
 * from the query's words, from its conversation and from names in the documents found. It searches the best set or leaves the
 * query alone. It is trained like ACQO (`src/training/`), on this smaller action space.
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
import type { Considered } from './considered.ts'
import { type Decision, type DecisionSection, prepareDecision } from './decision.ts'
import { defaultEffort, type Effort, effortNames } from './effort.ts'
import { earlyRow, prepareEarly } from './gate/early.ts'
import { alone, reasonOf } from './reason.ts'
import { asksForTitle } from './rerank/known-item.ts'
import { poolDocids } from './rerank/pool.ts'
import { questionOf } from './rerank/pool-cache.ts'
import { widens, widerSubQueries } from './wider-pool.ts'

export interface LocalOptions {
  /**
   * The maximum number of second-stage sub-queries, including those that only widen the pool for re-ranking; 0 to 12. Default:
   * 12.
   */
  readonly maxSecondStage?: number | undefined
  /**
   * How much a request has to bring: `low` searches sub-queries only where they should bring 5 points of the metric (the mean of
   * nDCG@10 and recall@5, in %), `medium` 2, `high` half a point. Policies that were trained without a gate ignore it. Default: `medium`.
   */
  readonly effort?: Effort | undefined
  /**
   * Skip the full decision for queries that look simple by their wording and scores: they are re-ranked at once. The trace then has no
   * sets that were considered. Default: false. Wrapped clients and the proxy do it with policies that they are given by name.
   */
  readonly fastPath?: boolean | undefined
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
  fastPath: z.boolean().default(false),
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
  /** Absent if there was nothing to choose from. */
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

/** What the original query found. */
type Found = readonly [query: Query, lists: readonly RankedList[], documentOf: DocumentOf]

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
  const decide = prepareDecision(section, reader, { effort, maxOfSecondStage: maxSecondStage })
  const leaveEarly = prepareLeaveEarly(section, reader, options)

  return (query, lists, documentOf, maxTexts) => {
    const left = leaveEarly(query, lists, documentOf)
    if (left !== undefined) return left
    const decision = decide(query, lists, documentOf, maxTexts)
    const choice = decision.choices[decision.choice]!
    const chosen = choice.members.map((member) => subQueryOf(decision, member))
    const isWider = reranks && widens(choice, decision.isSure)
    const wider = isWider ? widerSubQueries(decision, chosen, maxSecondStage) : []
    const texts = [...chosen, ...wider].slice(0, maxTexts)
    return {
      texts,
      withOriginal: choice.withOriginal,
      reason: reasonOf(decision, texts.length - chosen.length),
      considered: decision.considered,
    }
  }
}

/**
 * What ends a decision before it begins. It reads no texts, only titles, so it costs less than a message to another thread.
 *
 * @returns a function that returns undefined where the whole decision has to be made
 */
export function prepareLeaveEarly(
  section: DecisionSection,
  reader: Reader,
  options: DecideOptions = {},
): (...found: Found) => Decided | undefined {
  const { effort, fastPath, reranks } = localOptions(options)
  // It has learned the decisions of medium effort.
  const early = section.early && effort !== 'high' ? prepareEarly(section.early) : undefined

  /** Whether one of the first documents has the title that the query asks for: other words could only find other documents. */
  function isForTitle(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): boolean {
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

  return (query, lists, documentOf) => {
    if (isForTitle(query, lists, documentOf))
      return leftAlone('one of the first hits has the title that is asked for')
    // Re-ranking reads the documents anyway, so that the early gate saves less time.
    if ((!reranks || fastPath) && early?.(earlyRow(query, lists, reader)))
      return leftAlone('its wording and the scores of its hits are plain')
    return undefined
  }
}

const leftAlone = (why: string): Decided => ({
  texts: [],
  withOriginal: true,
  reason: alone(why),
})

/** The legs with an answer. @throws the first leg's error if none has one */
function answered(legs: readonly Leg[]): RankedList[] {
  const lists = legs.filter((leg) => leg.error === undefined)
  if (lists.length > 0) return lists
  throw legs[0]?.error ?? new QuerentError('retriever-failed', 'No retriever answered the query as it is')
}

/** The text to search for a candidate. */
export function subQueryOf({ candidates }: Pick<Decision, 'candidates'>, member: number): SearchText {
  const { text, from } = candidates[member]!
  return from === undefined ? { text } : { text, from }
}
