/** A judged query for training the second stage, and its features. */

import type { DocumentOf } from '../../../src/reranker.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../src/types.ts'
import { featuresOf, type PoolFeatures } from '../rerank/features.ts'
import { type Retrieved, readPool } from '../rerank/pool.ts'
import { type Question, readQuestion } from '../rerank/question.ts'

/** A judged query with the lists of the original query. */
export interface BridgeExample {
  readonly query: Query
  readonly lists: readonly RankedList[]
  /** docid → grade; a grade of 0 or below is not relevant. */
  readonly golds: ReadonlyMap<string, number>
  /** Reads the documents of the pool. */
  readPool(): Promise<DocumentOf>
  /** For each name, the docids of the first hits of searching for it. Two are enough. */
  lookUp(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** Examples that share a key (a relevant document or a conversation) are in the same fold. */
  readonly keys: readonly string[]
}

/** An example after reading its question and documents. */
export interface Look {
  readonly example: BridgeExample
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
  examples: readonly BridgeExample[],
  reader: Reader,
  signal: AbortSignal | undefined,
  onLook: (done: number) => void,
): Promise<Look[]> {
  const looks: Look[] = []
  for (const [index, example] of examples.entries()) {
    await yieldAt(index, signal)
    looks.push(look(example, await example.readPool(), reader))
    onLook(index + 1)
  }
  return looks
}

function look(example: BridgeExample, documentOf: DocumentOf, reader: Reader): Look {
  const { query, lists } = example
  const question = readQuestion(query, reader.lexicon)
  const { retrieved, reads } = readPool(query, lists, documentOf, reader)
  return { example, question, retrieved, features: featuresOf(question, retrieved, reads, reader.lexicon) }
}
