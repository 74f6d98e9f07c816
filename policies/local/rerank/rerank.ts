/**
 * Re-ranking, the optional last step of a search. It reads the documents of all lists, compares them with the question and with
 * each other, and orders them by small networks in three steps: each document alone, beside the likeliest ones, and in pairs. It takes milliseconds and needs only the texts of the documents.
 */
import { explainScore, prepareMean, prepareScorer } from '../../../src/learn/scorer.ts'
import { orderOf } from '../../../src/rank.ts'
import { rerankedHits } from '../../../src/reranked-hits.ts'
import type { DocumentOf, Reranker, RerankReason } from '../../../src/reranker.ts'
import { sigmoid } from '../../../src/sigmoid.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Hit, Query, RankedList } from '../../../src/types.ts'
import { blendFusedRank, fusedWeight } from './blend-fused-rank.ts'
import { confidenceRows } from './confidence.ts'
import { secondInputs } from './features.ts'
import { knownItem } from './known-item.ts'
import { poolAtHand, poolDocids, poolSize, type Retrieved } from './pool.ts'
import { type PoolView, viewPool } from './pool-cache.ts'
import { checkSection, type RerankSection } from './rerank-section.ts'
import { hasPairs, leastGap, prepareSteps, type Steps } from './scoring.ts'

/** What re-ranking says of the documents of the pool whose texts are available, in the pool's order. */
export interface PoolScores {
  /** Higher is better. Empty if no text is available. */
  readonly scores: Float64Array
  /** The row of a known item: its score is the highest, and must stay so. Absent if there is none. */
  readonly known?: number
  /** The probability that each document is relevant. Absent if the policy was trained without it. */
  readonly confidences?: Float64Array
}

export type ScorePool<Result = PoolScores | Promise<PoolScores>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  signal?: AbortSignal,
) => Result

/** The networks of a policy at work, in this thread: `scoredBy` makes a re-ranker of them. */
export interface PoolScorer {
  readonly scores: ScorePool<PoolScores>
  readonly explain: NonNullable<Reranker['explain']>
}

/**
 * Scores the pool of any search: with lists of the original query alone or of sub-queries, of lexical or dense retrievers, of documents
 * with or without titles, and with texts of any script and length, of which it reads the beginning.
 *
 * @param reader may be shared with other users of the same documents
 * @throws QuerentError `bad-config` if the section was trained on other features
 */
export function createPoolScorer(section: RerankSection, reader: Reader): PoolScorer {
  checkSection(section)
  const steps = prepareSteps({
    first: prepareMean(section.first),
    second: prepareMean(section.second),
    pair: section.pair.length === 0 ? undefined : prepareMean(section.pair),
  })

  const confide = section.confidence && prepareScorer(section.confidence)

  function judge(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): Judged | undefined {
    reader.begin()
    const look = viewPool(query, lists, documentOf, reader)
    const { question, retrieved, reads, features } = look
    if (reads.length === 0) return undefined
    const found = steps(features, hasPairs(question, retrieved))
    const known = knownItem(retrieved, question.text, reads, reader.lexicon)
    const first = known ?? nearTie(retrieved, found.scores)
    if (first === undefined) return { ...look, found, result: found }
    const result = { ...found, scores: withFirst(found.scores, first) }
    return { ...look, found, result, ...(known !== undefined && { known }) }
  }

  const scores: PoolScorer['scores'] = (query, lists, documentOf) => {
    const seen = judge(query, lists, documentOf)
    if (seen === undefined) return { scores: new Float64Array() }
    return {
      scores: seen.result.scores,
      ...(seen.known !== undefined && { known: seen.known }),
      ...(confide && {
        confidences: confide(confidenceRows(seen), seen.features.rows).map(sigmoid),
      }),
    }
  }

  return {
    scores,

    explain(query, lists, documentOf) {
      const seen = judge(query, lists, documentOf)
      if (seen === undefined) return []
      const { retrieved, features, found, result } = seen
      const rows = features.second(result.probabilities)
      return orderOf(result.scores).map((row) => ({
        docid: retrieved.candidates[row]!.docid,
        score: result.scores[row]!,
        alone: result.probabilities[row]!,
        together: found.scores[row]! - found.second[row]!,
        inputs: partsOf(rows, row),
      }))
    },
  }

  function partsOf(rows: Float32Array, row: number): RerankReason['inputs'] {
    const sums = new Float64Array(secondInputs.length)
    for (const scorer of section.second)
      explainScore(scorer, rows, row).parts.forEach((part, input) => {
        sums[input]! += part / section.second.length
      })
    return secondInputs
      .map((name, input) => ({ name, value: rows[row * secondInputs.length + input]!, part: sums[input]! }))
      .filter(({ part }) => part !== 0)
      .sort((a, b) => Math.abs(b.part) - Math.abs(a.part))
  }
}

/**
 * A re-ranker on top of a `ScorePool`, which may run in this thread or in others.
 *
 * @param afterRewrites whether a language model decides. Where other texts were searched, the fused order has a say
 */
export const scoredBy = (
  score: ScorePool,
  explain: PoolScorer['explain'],
  afterRewrites = false,
): Reranker => ({
  reads: true,
  stays: true,
  window: poolSize,
  needs: (query, lists) => poolDocids(lists, query.text),
  async rerank(query, lists, fused, documentOf, { signal } = {}) {
    const { retrieved } = poolAtHand(query, lists, documentOf)
    const { candidates, hasOthers } = retrieved
    if (candidates.length === 0) return fused
    const found = await score(query, lists, documentOf, signal)
    if (!afterRewrites || !hasOthers) return reordered(retrieved, found, fused)
    const said = blendFusedRank(found.scores, candidates, fused, fusedWeight)
    const scores = found.known === undefined ? said : withFirst(said, found.known)
    return reordered(retrieved, { ...found, scores }, fused)
  },
  explain,
})

/** The pool in the order of its scores, then the other fused hits in their order. */
function reordered(
  { candidates }: Retrieved,
  { scores, confidences }: PoolScores,
  fused: readonly Hit[],
): readonly Hit[] {
  const hits = rerankedHits(
    fused,
    orderOf(scores).map((row) => ({ docid: candidates[row]!.docid, score: scores[row]! })),
  )
  if (confidences === undefined) return hits
  const rowOf = new Map(candidates.map(({ docid }, row) => [docid, row]))
  return hits.map((hit) => {
    const row = rowOf.get(hit.docid)
    return row === undefined ? hit : { ...hit, confidence: confidences[row]! }
  })
}

/**
 * Logarithms of probabilities that differ by less are a near tie. Chosen on collections left out of training: up to here it costs no
 * collection's nDCG@10 more than 0.2 points, and fewer right first hits go. `bench/results/local.md` has what others gave.
 */
const tie = 0.5

/** The row of the first document, which stays first in a near tie, where nothing but the query's words was searched. */
function nearTie({ hasOthers, hasDense }: Retrieved, scores: Float64Array): number | undefined {
  const highest = scores.reduce((max, score) => Math.max(max, score), -Infinity)
  return hasOthers || hasDense || highest - scores[0]! >= tie ? undefined : 0
}

/** The same scores, except that this row has the highest one. */
function withFirst(scores: Float64Array, row: number): Float64Array {
  const highest = scores.reduce((max, score) => Math.max(max, score), -Infinity)
  return scores.map((score, at) => (at === row ? highest + leastGap : score))
}

/** A pool with the scores of its documents. */
interface Judged extends PoolView {
  /** As the networks score them. */
  readonly found: Steps
  /** The row of a known item. */
  readonly known?: number
  /** As found, but a known item or the first of a near tie is first. */
  readonly result: Steps
}
