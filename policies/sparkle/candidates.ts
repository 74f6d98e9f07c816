/** The facts that the Knowledge Integration agent of SPARKLE chooses from: those that fit the query best (D.3 of the paper). */
import { analyzer } from '../../src/text/analyze.ts'
import type { Document, Embedder } from '../../src/types.ts'
import { type Triple, type TripleStore, textOf } from './triples.ts'

/** How many facts the agent sees, as in the paper. */
const most = 20

/** The usual constants of BM25. */
const k1 = 1.2
const b = 0.75

interface CandidateSettings {
  readonly triples: TripleStore
  /** Compares facts with the query, as in the paper. Without it, or if it fails, BM25 does. */
  readonly embedder?: Embedder | undefined
  /** Words of the facts that this search has compared. Its rounds find most documents again. Default: none is kept. */
  readonly known?: Map<string, readonly string[]>
  readonly signal: AbortSignal
}

/** The best facts of the documents for a query, best first; equal ones in the order of the documents. None if the store fails. */
export async function candidatesOf(
  query: string,
  documents: readonly Document[],
  { triples, embedder, known = new Map(), signal }: CandidateSettings,
): Promise<readonly Triple[]> {
  const facts = await triples.of(documents).catch(() => [])
  const texts = facts.map(textOf)
  const scores =
    embedder === undefined
      ? bm25(query, texts, known)
      : await cosines(query, texts, embedder, signal).catch(() => bm25(query, texts, known))
  return facts
    .map((fact, place) => ({ fact, score: scores[place]! }))
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ fact }) => fact)
}

async function cosines(
  query: string,
  texts: readonly string[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const [of] = await embedder.embed([query], { kind: 'query', signal })
  const vectors = await embedder.embed(texts, { kind: 'document', signal })
  return vectors.map((vector) => vector.reduce((sum, value, place) => sum + value * of![place]!, 0))
}

const analyze = analyzer()

/** BM25 of each text, with the texts as the collection. */
function bm25(
  query: string,
  texts: readonly string[],
  known: Map<string, readonly string[]>,
): readonly number[] {
  const words = texts.map((text) => {
    const kept = known.get(text) ?? analyze(text)
    known.set(text, kept)
    return kept
  })
  const mean = words.reduce((sum, { length }) => sum + length, 0) / texts.length
  const scores = texts.map(() => 0)
  for (const word of new Set(analyze(query))) {
    const counts = words.map((of) => of.filter((other) => other === word).length)
    const having = counts.filter((count) => count > 0).length
    const weight = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5))
    for (const [place, count] of counts.entries()) {
      const norm = k1 * (1 - b + (b * words[place]!.length) / mean)
      scores[place]! += (weight * count * (k1 + 1)) / (count + norm)
    }
  }
  return scores
}
