/**
 * The local policy: it uses only its own small models. It reads the original query's results. It scores sets of sub-queries made
 * from the query's words, from its conversation and from names in the documents found. It searches the best set or leaves the
 * query alone. It is trained like ACQO (`src/training/`), on this smaller action space.
 */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { decisionOf } from '../../src/dedupe.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Policy, SearchText, Tools } from '../../src/policy.ts'
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
}

/** The upper limit of `maxSecondStage`. */
export const secondStageLimit = 12

const optionsSchema = z.strictObject({
  maxSecondStage: z.int().min(0).max(secondStageLimit).default(secondStageLimit),
  effort: z.enum(effortNames).default(defaultEffort),
})

/** How many hits of each list are checked for the title that a query may ask for. */
const maxTitles = 3

/** The options with their defaults. @throws QuerentError `bad-config` naming the wrong option */
export const localOptions = (options: LocalOptions): z.output<typeof optionsSchema> =>
  parseConfig(optionsSchema, options, 'local')

/** The policy's decision as plain data. */
export interface Decided {
  readonly chosen: readonly SearchText[]
  /** Whether the original query votes with them. */
  readonly withOriginal: boolean
  /** Texts to search in the same request for re-ranking to choose from. */
  readonly beside: readonly SearchText[]
  readonly reason: string
  /** Absent if there was nothing to choose from. */
  readonly considered?: Considered
}

/** What follows a decision. */
export interface Ahead extends Pick<Tools, 'reranks' | 'fastPath'> {
  /** The maximum number of texts to search, those beside the decision included: the search's budget. */
  readonly maxTexts: number
}

/** Decides from the original query's results. Once the signal has aborted, a decision that has not begun is not made. */
export type Decide<Result = Decided | Promise<Decided>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  ahead: Ahead,
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
      const { reranks, fastPath, budget } = tools
      const ahead = { reranks, fastPath, maxTexts: budget.subQueries }
      const decided = await decide(query, lists, documentOf, ahead, tools.signal)
      const { chosen, withOriginal, beside, reason, considered } = decided
      tools.decide(
        decisionOf(
          query.text,
          chosen.map(({ text }) => text),
        ),
        reason,
        considered,
      )
      const voting = await tools.retrieve(chosen, { reason, beside })
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
  options: LocalOptions = {},
): Decide<Decided> {
  const { maxSecondStage, effort } = localOptions(options)
  const decide = prepareDecision(section, reader, { effort, maxOfSecondStage: maxSecondStage })
  const leaveEarly = prepareLeaveEarly(section, reader, options)

  return (query, lists, documentOf, ahead) => {
    const left = leaveEarly(query, lists, documentOf, ahead)
    if (left !== undefined) return left
    const { reranks, maxTexts } = ahead
    const decision = decide(query, lists, documentOf, maxTexts)
    const choice = decision.choices[decision.choice]!
    const chosen = choice.members.map((member) => subQueryOf(decision, member))
    const isWider = reranks && widens(choice, decision.isSure)
    const wider = isWider ? widerSubQueries(decision, chosen, maxSecondStage) : []
    const beside = wider.slice(0, maxTexts - chosen.length)
    return {
      chosen,
      withOriginal: choice.withOriginal,
      beside,
      reason: reasonOf(decision, beside.length),
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
  options: LocalOptions = {},
): Decide<Decided | undefined> {
  const { effort } = localOptions(options)
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

  return (query, lists, documentOf, { reranks, fastPath }) => {
    if (isForTitle(query, lists, documentOf))
      return leftAlone('one of the first hits has the title that is asked for')
    // Re-ranking reads the documents anyway, so that the early gate saves less time.
    if ((!reranks || fastPath) && early?.(earlyRow(query, lists, reader)))
      return leftAlone('its wording and the scores of its hits are plain')
    return undefined
  }
}

const leftAlone = (why: string): Decided => ({
  chosen: [],
  withOriginal: true,
  beside: [],
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
