/** Fits re-ranking on the lists that a decision retrieves, after training the decision or alone. */

import type { Scorer } from '../../../src/learn/scorer.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import { createReader, type Reader } from '../../../src/text/reader.ts'
import type { TermWeights } from '../../../src/text/term-weights.ts'
import type { RankedList } from '../../../src/types.ts'
import type { DecisionSection } from '../decision.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { type PreparedExample, prepareAll } from './action-space.ts'
import { applyDecisions, broughtLists } from './apply-decision.ts'
import { checkTeachable } from './check-training-data.ts'
import { type Example, readPoolOf, rememberedDocuments } from './example.ts'
import { fitReranker, type RerankExample } from './rerank-training.ts'

/** The progress of a phase of training, in examples. */
export interface PhaseProgress {
  readonly phase: 'second stage' | 'candidates' | 're-ranking'
  readonly done: number
  readonly total: number
}

export interface RerankingOptions {
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PhaseProgress) => void) | undefined
}

/** Fits re-ranking on the lists that the decision retrieves, including those that only widen the pool. */
export async function trainReranking(
  prepared: readonly PreparedExample[],
  choice: Scorer,
  reader: Reader,
  options: RerankingOptions,
): Promise<RerankSection> {
  const decisions = applyDecisions(prepared, choice)
  const examples = prepared.map(({ example }) => example)
  return rerankingOf(
    examples,
    (_, index) => broughtLists(prepared[index]!, decisions[index]!),
    reader,
    options,
  )
}

/**
 * Fits re-ranking alone, on the lists that an existing decision retrieves, or on those of the original queries.
 *
 * @param decision undefined for the original queries
 * @param terms the term weights that the decision was trained with
 * @throws QuerentError `cannot-teach`; `bad-config` for a decision that was trained on other features; `aborted`
 */
export async function trainRerankingAlone(
  examples: readonly Example[],
  decision: DecisionSection | undefined,
  terms: TermWeights,
  options: RerankingOptions,
): Promise<RerankSection> {
  checkTeachable(examples)
  const reader = createReader(terms, rememberedDocuments)
  if (decision === undefined) return rerankingOf(examples, async ({ lists }) => lists, reader, options)
  const prepared = await prepareAll(examples, () => decision, reader, {
    signal: options.signal,
    onProgress: (done, total) => options.onProgress?.({ phase: 'candidates', done, total }),
  })
  return trainReranking(prepared, decision.choice, reader, options)
}

async function rerankingOf(
  examples: readonly Example[],
  listsOf: (example: Example, index: number) => Promise<readonly RankedList[]>,
  reader: Reader,
  { seed, signal, onProgress }: RerankingOptions,
): Promise<RerankSection> {
  async function* brought(): AsyncGenerator<RerankExample> {
    for (const [index, example] of examples.entries()) {
      await yieldAt(index, signal)
      const { query, golds, documentOf, keys } = example
      const lists = await listsOf(example, index)
      await readPoolOf(example, lists)
      yield { query, lists, golds, documentOf, keys }
    }
  }
  return fitReranker(brought(), reader, {
    seed,
    ...(signal && { signal }),
    onProgress({ step, done, total = examples.length }) {
      const [before, share] = rerankingShares[step]
      const parts = before + share * (done / total)
      onProgress?.({
        phase: 're-ranking',
        done: Math.round((parts / rerankingParts) * examples.length),
        total: examples.length,
      })
    },
  })
}

/** [work before the step, work of the step] in fitting re-ranking. Measured; one unit is a pass over the queries. */
const rerankingShares = {
  'take in': [0, 1],
  read: [1, 1],
  'fit first': [2, 4],
  second: [6, 1],
  'fit second': [7, 4],
  pair: [11, 1],
  'fit pair': [12, 1],
} as const
const rerankingParts = 13
