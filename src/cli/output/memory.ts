/** How much memory an index needs. `querent index` announces it before it builds. */
import { getHeapStatistics } from 'node:v8'
import type { Document } from '../../types.ts'
import { formatBytes } from './words.ts'

export interface CorpusSize {
  documents: number
  /** Characters of all titles and texts. */
  characters: number
}

/** Smaller needs are not announced. */
const announcedBytes = 100e6

/** Measured with corpora of 1 to 4 million words: 16 to 22 bytes, most of them gone when the index is built. */
const bm25BytesPerCharacter = 20
const vectorBytesPerDimension = 4

/** The same documents, counted into `size` as they pass. */
export async function* measured(
  documents: AsyncIterable<Document>,
  size: CorpusSize,
): AsyncGenerator<Document> {
  for await (const document of documents) {
    size.documents++
    size.characters += (document.title?.length ?? 0) + document.text.length
    yield document
  }
}

/**
 * What to tell the user before the build; nothing for a small index.
 *
 * @param dimensions of the vectors; absent without vectors
 * @param limit bytes of JavaScript objects that this process may have
 */
export function describeMemory(
  { documents, characters }: CorpusSize,
  dimensions?: number,
  limit: number = getHeapStatistics().heap_size_limit,
): string[] {
  const bm25 = characters * bm25BytesPerCharacter
  const vectors = documents * (dimensions ?? 0) * vectorBytesPerDimension
  if (bm25 + vectors < announcedBytes) return []
  return [
    `Memory: about ${formatBytes(bm25)} while the words are indexed` +
      (dimensions === undefined
        ? '.'
        : `, and ${formatBytes(vectors)} for the vectors (${documents} documents × ${dimensions} dimensions × 4 bytes).`),
    ...(bm25 > limit
      ? [
          `WARNING: that is more than the ${formatBytes(limit)} that Node allows. ` +
            `Run it again with NODE_OPTIONS=--max-old-space-size=${Math.ceil((1.25 * bm25) / 2 ** 20)}.`,
        ]
      : []),
  ]
}
