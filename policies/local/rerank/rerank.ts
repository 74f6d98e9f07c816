/**
 * Re-ranking, the optional last step of a search: the documents that any lists brought are read, compared with the question
 * and with each other, and ordered by three small networks. It takes milliseconds and needs nothing but their texts.
 */
import { explainScore } from '../../../src/learn/scorer.ts'
import type { DocumentOf, Reranker, RerankReason } from '../../../src/reranker.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Document, Hit, Query, RankedList } from '../../../src/types.ts'
import { featuresOf, type PoolFeatures, secondInputs } from './features.ts'
import { topSize } from './group-features.ts'
import { knownItem } from './known-item.ts'
import { poolDocids, poolOf, poolSize, type Retrieved } from './pool.ts'
import { readQuestion } from './question.ts'
import { checkSection, type RerankSection } from './rerank-section.ts'
import { leastGap, orderOf, prepareMean, prepareSteps, type Steps } from './scoring.ts'

/** A re-ranker that has its answer at once. */
export interface LocalReranker extends Required<Omit<Reranker, 'rerank'>> {
  rerank(...asked: Parameters<Reranker['rerank']>): readonly Hit[]
  readonly scores: ScorePool<Float64Array>
}

/** One score for each document of the pool whose text is at hand, in the pool's order; higher is better. */
export type ScorePool<Result = Float64Array | Promise<Float64Array>> = (
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
) => Result

/**
 * Makes a re-ranker. It works after any search: with the lists of the original query alone, of sub-queries, of lexical and
 * dense retrievers; with documents without titles; and with texts of any script and length, of which it reads the beginning.
 *
 * @param reader may be shared with others that read the same documents
 * @throws QuerentError `bad-config` where the section was trained on other features
 */
export function createReranker(section: RerankSection, reader: Reader): LocalReranker {
  checkSection(section)
  const steps = prepareSteps({
    first: prepareMean(section.first),
    second: prepareMean(section.second),
    pair: section.pair.length === 0 ? undefined : prepareMean(section.pair),
  })

  function look(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): Look | undefined {
    reader.begin()
    const { retrieved, reads } = readPool(query, lists, documentOf, reader)
    if (reads.length === 0) return undefined
    const question = readQuestion(query, reader.lexicon)
    const features = featuresOf(question, retrieved, reads, reader.lexicon)
    const result = steps(features, placesOf(retrieved))
    const known = knownItem(retrieved, question.text, reads, reader.lexicon)
    return { retrieved, features, result: known === undefined ? result : withFirst(result, known) }
  }

  return {
    reads: true,
    window: poolSize,
    needs: (query, lists) => poolDocids(lists, query.text),
    scores: (query, lists, documentOf) => look(query, lists, documentOf)?.result.scores ?? new Float64Array(),

    rerank(query, lists, fused, documentOf) {
      const seen = look(query, lists, documentOf)
      return seen === undefined ? fused : reordered(seen.retrieved, seen.result.scores, fused)
    },

    explain(query, lists, documentOf) {
      const seen = look(query, lists, documentOf)
      if (seen === undefined) return []
      const { retrieved, features, result } = seen
      const rows = features.second(result.probabilities)
      return orderOf(result.scores).map((row) => ({
        docid: retrieved.candidates[row]!.docid,
        score: result.scores[row]!,
        alone: result.probabilities[row]!,
        together: result.scores[row]! - result.second[row]!,
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

/** A re-ranker, whoever computes its scores. `explains` explains them. */
export const scoredBy = (score: ScorePool, explains: () => Pick<LocalReranker, 'explain'>): Reranker => ({
  reads: true,
  window: poolSize,
  needs: (query, lists) => poolDocids(lists, query.text),
  async rerank(query, lists, fused, documentOf) {
    const { retrieved } = poolAtHand(query, lists, documentOf)
    if (retrieved.candidates.length === 0) return fused
    return reordered(retrieved, await score(query, lists, documentOf), fused)
  },
  explain: (query, lists, documentOf) => explains().explain(query, lists, documentOf),
})

/** The pool by its scores, then the other fused hits as they were. */
function reordered({ candidates }: Retrieved, scores: Float64Array, fused: readonly Hit[]): readonly Hit[] {
  const before = new Map(fused.map((hit) => [hit.docid, hit]))
  const hits = orderOf(scores).map((row, index): Hit => {
    const { docid } = candidates[row]!
    const hit = before.get(docid)
    before.delete(docid)
    const moved = { docid, score: scores[row]!, rank: index + 1 }
    return hit === undefined ? moved : { ...hit, ...moved, fused: { rank: hit.rank, score: hit.score } }
  })
  const lowest = hits.at(-1)!.score
  const rest = [...before.values()].map((hit, index): Hit => {
    const fused = { rank: hit.rank, score: hit.score }
    return { ...hit, score: lowest - 1 - index, rank: hits.length + 1 + index, fused }
  })
  return [...hits, ...rest]
}

/**
 * How many places the last step settles, which knows groups of two. Where more than the query was searched, two that complete
 * each other are what is looked for, and whoever goes well with another comes first; where the query alone was, two belong
 * first, and many may be relevant behind them: Cranfield's queries have eight.
 */
const placesOf = ({ hasOthers }: Retrieved): number => (hasOthers ? topSize : 2)

/** The same scores, but that this row's is the highest. */
function withFirst(result: Steps, row: number): Steps {
  const highest = result.scores.reduce((most, score) => Math.max(most, score), -Infinity)
  return { ...result, scores: result.scores.map((score, at) => (at === row ? highest + leastGap : score)) }
}

interface Look {
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
  readonly result: Steps
}

/** The pool as far as its texts are at hand, read. */
export function readPool(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
  reader: Reader,
): { readonly retrieved: Retrieved; readonly reads: readonly ParsedDocument[] } {
  const { retrieved, documents } = poolAtHand(query, lists, documentOf)
  return { retrieved, reads: documents.map((document) => reader.read(document)) }
}

/** The pool as far as its texts are at hand, and those texts. */
export function poolAtHand(
  query: Query,
  lists: readonly RankedList[],
  documentOf: DocumentOf,
): { readonly retrieved: Retrieved; readonly documents: readonly Document[] } {
  const retrieved = poolOf(lists, query.text, poolSize)
  const documents: Document[] = []
  const candidates = retrieved.candidates.filter(({ docid }) => {
    const document = documentOf(docid)
    if (document !== undefined) documents.push(document)
    return document !== undefined
  })
  return { retrieved: { ...retrieved, candidates }, documents }
}
