/** A re-ranker that scores each document by itself. */
import { QuerentError } from '../../src/errors.ts'
import type { Scored } from '../../src/rank.ts'
import { rerankedHits } from '../../src/reranked-hits.ts'
import type { Reranker } from '../../src/reranker.ts'
import { within } from '../models/with-timeout.ts'
import { candidatesOf, firstDocids, textOf } from './candidates.ts'

export interface PointwiseOptions {
  /** The re-ranker, for error messages. */
  readonly what: string
  /** Whether scores come from a server. */
  readonly waits: boolean
  /** How many hits are scored at most. */
  readonly window: number
  /** Characters of a document that are scored. */
  readonly maxCharacters: number
  /** Milliseconds for all documents together. */
  readonly timeout: number
  /** One score per text, in their order. Higher is better. */
  score(query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>
}

/** The first `window` hits with texts are ordered by their scores; equal scores keep the fused order. The others follow. */
export const pointwise = ({
  what,
  waits,
  window,
  maxCharacters,
  timeout,
  score,
}: PointwiseOptions): Reranker => ({
  reads: true,
  waits,
  stays: !waits,
  window,
  needs: (_query, _lists, fused) => firstDocids(fused, window),
  async rerank({ text }, _lists, fused, documentOf, { signal } = {}) {
    const candidates = candidatesOf(fused, documentOf, window)
    if (candidates.length === 0 || text.trim() === '') return fused
    const texts = candidates.map((document) => textOf(document, maxCharacters))
    const scores = await within(what, { timeout, signal }, (ending) => score(text, texts, ending))
    return rerankedHits(fused, inOrder(candidates, checked(scores, texts.length, what)))
  },
})

function checked(scores: readonly number[], count: number, what: string): readonly number[] {
  if (scores.length !== count)
    throw new QuerentError('rerank-failed', `${what} gave ${scores.length} scores for ${count} documents`)
  const wrong = scores.findIndex((score) => !Number.isFinite(score))
  if (wrong !== -1)
    throw new QuerentError('rerank-failed', `${what} gave document ${wrong + 1} the score ${scores[wrong]}`)
  return scores
}

/** Best first. Sorting is stable: of equal scores the better fused one comes first. */
const inOrder = (candidates: readonly { readonly docid: string }[], scores: readonly number[]): Scored[] =>
  candidates
    .map(({ docid }, place) => ({ docid, score: scores[place]! }))
    .sort((one, other) => other.score - one.score)
