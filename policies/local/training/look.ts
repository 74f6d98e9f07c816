/** Examples with the features of their documents, for training the second stage. */

import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import { featuresOf, type PoolFeatures } from '../rerank/features.ts'
import { type Retrieved, readPool } from '../rerank/pool.ts'
import { type Question, readQuestion } from '../rerank/question.ts'
import { type Example, readPoolOf } from './example.ts'

/** An example after reading its question and documents. */
export interface Look {
  readonly example: Example
  readonly question: Question
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
}

/**
 * Reads the question and the documents of each example.
 *
 * @param onLook called after each example with the number of examples done
 * @throws QuerentError `aborted`
 */
export async function lookAtAll(
  examples: readonly Example[],
  reader: Reader,
  signal: AbortSignal | undefined,
  onLook: (done: number) => void,
): Promise<Look[]> {
  const looks: Look[] = []
  for (const [index, example] of examples.entries()) {
    await yieldAt(index, signal)
    const { query, lists } = example
    const question = readQuestion(query, reader.lexicon)
    const { retrieved, reads } = readPool(query, lists, await readPoolOf(example, lists), reader)
    const features = featuresOf(question, retrieved, reads, reader.lexicon)
    looks.push({ example, question, retrieved, features })
    onLook(index + 1)
  }
  return looks
}
