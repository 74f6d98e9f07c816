/** How telling words are, by the documents of a training's collections. */
import { checkAborted } from '../../../src/runtime/yield.ts'
import { countTerms, type TermWeights } from '../../../src/text/term-weights.ts'
import type { Document } from '../../../src/types.ts'
import type { IndexedCollection, IndexTrainingOptions } from './index-training-options.ts'

/** How many documents of each corpus are sampled for term weights. */
const maxCountedDocuments = 20_000

/** The weights of words, from every n-th document of each corpus. */
export async function termsOf(
  collections: readonly IndexedCollection[],
  { signal, onProgress }: IndexTrainingOptions,
): Promise<TermWeights> {
  const indexes = [...new Map(collections.map(({ index }) => [index.manifest.corpus, index])).values()]
  const total = indexes.reduce((sum, { documents }) => sum + documents.size, 0)
  const sample: Document[] = []
  let done = 0
  for (const index of indexes) {
    const step = Math.ceil(index.documents.size / maxCountedDocuments)
    let place = 0
    for await (const document of index.documents.all()) {
      if (place++ % step === 0) sample.push(document)
      if (++done % 1000 === 0) {
        checkAborted(signal)
        onProgress?.({ phase: 'documents', done, total })
      }
    }
  }
  return countTerms(sample)
}
