/** Answers → rewards: the relevant documents are looked up, the answer is parsed, its sub-queries searched and priced. */
import { parseStrict } from '../../../policies/acqo/parse.ts'
import { withoutRepeats } from '../../dedupe.ts'
import { QuerentError, toError } from '../../errors.ts'
import type { Qrels } from '../../types.ts'
import { relevantOf } from '../data/relevant-docs.ts'
import type { Found } from './found.ts'
import {
  defaultTopk,
  malformedReward,
  maxStageOneSubQueries,
  type Reward,
  rewardOf,
  type ServedRewardOptions,
} from './reward.ts'
import type { Searcher } from './searcher.ts'
import { mapYielding } from './yield.ts'

/** What one rollout of a query is priced by. */
export interface Rollout {
  /** What the model wrote, without special tokens. */
  readonly completion: string
  /** Docids of the relevant documents. Where absent, `qid` is looked up in the judgments of the server. */
  readonly golds?: readonly string[]
  readonly qid?: string
  readonly options?: ServedRewardOptions
}

export interface RolloutScorerOptions {
  readonly searcher: Searcher
  /** Judgments for rollouts that bring a qid only. */
  readonly qrels?: Qrels
  /** What rollouts without options are priced with. */
  readonly defaults?: ServedRewardOptions
  /** Sub-queries that an answer may hold, in stage 1 at most 12; more are a format failure. Default: 3, as in the paper. */
  readonly maxSubQueries?: number
}

export interface RolloutScorer {
  /**
   * One reward a rollout, in their order, whatever qids repeat, or the error of that one: without relevant documents, with
   * an option out of its range, or where a retriever failed. There is no reward in place of an error.
   *
   * @throws the signal's reason
   */
  score(rollouts: readonly Rollout[], signal: AbortSignal): Promise<(Reward | Error)[]>
  /** @throws QuerentError `bad-config` where the server does not know the relevant documents of this query */
  goldsOf(qid: string): readonly string[]
}

interface Prepared {
  readonly golds: readonly string[]
  readonly options: ServedRewardOptions
  /** The places of its sub-queries among all searches; `undefined` where the answer is malformed. */
  readonly places: readonly number[] | undefined
}

/** @throws QuerentError `bad-config` where stage 1 is the default and answers may hold more sub-queries than it can price */
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
      { remedy: `Set --max-sub-queries to ${maxStageOneSubQueries} or less, or --stage to 2.` },
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

  function relevantTo({ golds, qid }: Rollout): readonly string[] {
    if (golds !== undefined && golds.length > 0) return [...new Set(golds)]
    if (qid !== undefined) return goldsOf(qid)
    throw new QuerentError('bad-config', 'There are neither relevant documents nor a query id', {
      remedy: 'Send either.',
    })
  }

  return {
    goldsOf,
    async score(rollouts, signal) {
      const searches: { readonly text: string; readonly k: number }[] = []
      const prepare = (rollout: Rollout): Prepared | Error => {
        try {
          const golds = relevantTo(rollout)
          const options = { ...defaults, ...rollout.options }
          const most = options.stage === 1 ? Math.min(maxSubQueries, maxStageOneSubQueries) : maxSubQueries
          const texts = parse(rollout.completion, most)
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

/** The different sub-queries of an answer; `undefined` where it does not keep to the grammar. */
function parse(completion: string, most: number): readonly string[] | undefined {
  try {
    const texts = parseStrict(completion, most)
    return withoutRepeats(texts.map((text) => ({ text, stage: 1 }))).map(({ text }) => text)
  } catch {
    return undefined
  }
}

function price({ golds, options, places }: Prepared, found: readonly Found[]): Reward | Error {
  try {
    if (places === undefined) return malformedReward(golds, options)
    const lists = places.map((place) => found[place]!)
    const failed = lists.find((one) => one instanceof Error)
    return failed ?? rewardOf(lists as readonly Exclude<Found, Error>[], golds, options)
  } catch (thrown) {
    return toError(thrown)
  }
}
