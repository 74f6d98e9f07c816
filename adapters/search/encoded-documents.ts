/** Documents as encoders read them: their texts, many at a time. */
import type { Document } from '../../src/types.ts'

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
