/** Documents as encoders read them: their texts, many at a time; and their vectors. */
import { QuerentError } from '../../src/errors.ts'
import type { Document, Embedder } from '../../src/types.ts'

/** The text to encode: title, space, text, as in sentence-transformers' evaluation of BEIR. */
export function titleAndText({ title = '', text }: Pick<Document, 'title' | 'text'>): string {
  return `${title} ${text}`.trim()
}

/** Documents encoded in one call. Encoders sort a batch by length and split it as they need. */
const documentsPerBatch = 256

export async function* batchesOf(
  documents: AsyncIterable<Document>,
  size = documentsPerBatch,
): AsyncGenerator<Document[], void, undefined> {
  let batch: Document[] = []
  for await (const document of documents) {
    batch.push(document)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** @throws QuerentError `embed-failed` if the number of vectors differs from the number of texts. */
export async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  options: Parameters<Embedder['embed']>[1],
): Promise<readonly Float32Array[]> {
  const vectors = await embedder.embed(texts, options)
  if (vectors.length === texts.length) return vectors
  const what = `The embedder ${embedder.name} gave ${vectors.length} vectors for ${texts.length} texts`
  throw new QuerentError('embed-failed', what)
}
