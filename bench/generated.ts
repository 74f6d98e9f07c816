/** Generated collections: benchmarks need text that grows at will and is the same on every machine. */
import type { Random } from '../src/learn/random.ts'
import type { Document } from '../src/types.ts'

export const wordsPerDocument = 100
export const wordsPerQuery = 8

/** So many documents, each with the next text. */
export function* documents(count: number, text: () => string): Generator<Document> {
  for (let position = 0; position < count; position++) yield { docid: `d${position}`, text: text() }
}

/** A function that draws words, the n-th most frequent in proportion to 1/n, of some 100,000. */
export function zipfianWords(random: Random): (count: number) => string {
  const word = () => `w${Math.floor(100_000 ** random.float())}`
  return (count) => Array.from({ length: count }, word).join(' ')
}
