/**
 * Computes rewards of answers: looks up the relevant documents, parses the answer, searches its sub-queries and scores the
 * result.
 */
import { parseStrict } from '../../../policies/acqo/parse.ts'
import { withoutRepeats } from '../../dedupe.ts'
import { QuerentError, toError } from '../../errors.ts'
import type { Qrels } from '../../types.ts'
import { relevantOf } from '../data/relevant-docs.ts'
import {
  defaultTopk,
  malformedReward,
  maxStageOneSubQueries,
  type Reward,
  rewardOf,
  type ServedRewardOptions,
} from './reward.ts'
import type { SearchedLists } from './searched-lists.ts'
import type { Searcher } from './searcher.ts'
import { mapYielding } from './yield.ts'

/** One rollout of a query. */
export interface Rollout {
  /** The model's output, without special tokens. */
  readonly completion: string
  /** Docids of the relevant documents. If absent, the server looks `qid` up in its judgments. */
  readonly golds?: readonly string[]
  readonly qid?: string
  readonly options?: ServedRewardOptions
}

export interface RolloutScorerOptions {
  readonly searcher: Searcher
  /** Judgments for rollouts that have only a qid. */
  readonly qrels?: Qrels
  /** Default options of rollouts. */
  readonly defaults?: ServedRewardOptions
  /**
   * The maximum number of sub-queries in an answer, at most 12 in stage 1. Answers with more are malformed. Default: 3, as
   * in the paper.
   */
  readonly maxSubQueries?: number
}

export interface RolloutScorer {
  /**
   * Returns one result per rollout, in order; qids may repeat. The result is an Error if the rollout has no relevant
   * documents, an option is out of range, or a retriever failed. No reward ever stands in for an error.
   *
   * @throws the signal's reason
   */
  score(rollouts: readonly Rollout[], signal: AbortSignal): Promise<(Reward | Error)[]>
  /** @throws QuerentError `bad-config` if the server does not know the relevant documents of this query */
  goldsOf(qid: string): readonly string[]
  /**
   * The relevant documents that come with a rollout, or else those of its query, each once.
   *
   * @throws QuerentError `bad-config` if there are none
   */
  relevantTo(rollout: Pick<Rollout, 'golds' | 'qid'>): readonly string[]
}

interface Prepared {
  readonly golds: readonly string[]
  readonly options: ServedRewardOptions
  /** Indexes of the answer's sub-queries among all searches; `undefined` if the answer is malformed. */
  readonly places: readonly number[] | undefined
}

/** @throws QuerentError `bad-config` if stage 1 is the default and `maxSubQueries` exceeds its limit */
export function createRolloutScorer({
  searcher,
  qrels,
  defaults = {},
  maxSubQueries = 3,
}: RolloutScorerOptions): RolloutScorer {
  if (defaults.stage === 1 && maxSubQueries > maxStageOneSubQueries) {
    throw new QuerentError(
      'bad-config',
      `Answers may hold ${maxSubQueries} sub-queries, and stage 1 prices the sets of ${maxStageOneSubQueries} at the most`,
      { remedy: `Pass --set maxSubQueries=${maxStageOneSubQueries} or less, or --set stage=2.` },
    )
  }

  function goldsOf(qid: string): readonly string[] {
    const grades = qrels?.get(qid)
    const golds = relevantOf(grades)
    if (golds.length > 0) return golds
    const why =
      qrels === undefined
        ? 'the server was started without judgments'
        : grades === undefined
          ? 'it has no judgments'
          : 'nothing is relevant to it'
    throw new QuerentError('bad-config', `The query ${JSON.stringify(qid)} cannot be priced: ${why}`, {
      remedy: 'Send the docids of the relevant documents along, or start the server with the right --qrels.',
    })
  }

  function relevantTo({ golds, qid }: Pick<Rollout, 'golds' | 'qid'>): readonly string[] {
    if (golds !== undefined && golds.length > 0) return [...new Set(golds)]
    if (qid !== undefined) return goldsOf(qid)
    throw new QuerentError('bad-config', 'There are neither relevant documents nor a query id', {
      remedy: 'Send either.',
    })
  }

  return {
    goldsOf,
    relevantTo,
    async score(rollouts, signal) {
      const searches: { readonly text: string; readonly k: number }[] = []
      const prepare = (rollout: Rollout): Prepared | Error => {
        try {
          const golds = relevantTo(rollout)
          const options = { ...defaults, ...rollout.options }
          const limit = options.stage === 1 ? Math.min(maxSubQueries, maxStageOneSubQueries) : maxSubQueries
          const texts = parse(rollout.completion, limit)
          const k = options.topk ?? defaultTopk
          const places = texts?.map((text) => searches.push({ text, k }) - 1)
          return { golds, options, places }
        } catch (thrown) {
          return toError(thrown)
        }
      }
      const prepared = await mapYielding(rollouts, prepare, signal)
      const found = await searcher.search(searches, signal)
      return mapYielding(prepared, (one) => (one instanceof Error ? one : price(one, found)), signal)
    },
  }
}

/** The distinct sub-queries of an answer; `undefined` if the answer is malformed. */
function parse(completion: string, limit: number): readonly string[] | undefined {
  try {
    const texts = parseStrict(completion, limit)
    return withoutRepeats(texts.map((text) => ({ text, stage: 1 }))).map(({ text }) => text)
  } catch {
    return undefined
  }
}

function price({ golds, options, places }: Prepared, found: readonly SearchedLists[]): Reward | Error {
  try {
    if (places === undefined) return malformedReward(golds, options)
    const lists = places.map((place) => found[place]!)
    const failed = lists.find((one) => one instanceof Error)
    return failed ?? rewardOf(lists as readonly Exclude<SearchedLists, Error>[], golds, options)
  } catch (thrown) {
    return toError(thrown)
  }
}
