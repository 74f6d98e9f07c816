/** Fits re-ranking on the lists that a decision retrieves, after training the decision or alone. */

import { yieldAt } from '../../../src/runtime/yield.ts'
import { createReader, type Reader } from '../../../src/text/reader.ts'
import type { TermWeights } from '../../../src/text/term-weights.ts'
import type { RankedList } from '../../../src/types.ts'
import { type DecisionSection, prepareChoice } from '../decision.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { checkTeachable } from './check-training-data.ts'
import { type Example, readPoolOf, rememberedDocuments } from './example.ts'
import { broughtLists, type SearchedPlans, searchPlans } from './plan-search.ts'
import { fitReranker, type RerankExample } from './rerank-training.ts'
import { withShortLists } from './short-lists.ts'
import { everyUnanswered, listsWithout } from './without-relevant.ts'

/** The progress of a phase of training, in examples; in networks for the gains. */
export interface PhaseProgress {
  readonly phase: 'second stage' | 'plans' | 'gains' | 're-ranking'
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
  searched: readonly SearchedPlans[],
  { gains }: Pick<DecisionSection, 'gains'>,
  reader: Reader,
  options: RerankingOptions,
): Promise<RerankSection> {
  const choose = prepareChoice(gains)
  const examples = searched.map(({ example }) => example)
  return rerankingOf(
    examples,
    async (_, index) => {
      const one = searched[index]!
      return broughtLists(one, choose(one))
    },
    reader,
    options,
  )
}

/**
 * Fits re-ranking alone, on the lists that an existing decision retrieves, or on those of the original queries.
 *
 * @param decision undefined for the original queries
 * @param terms the term weights that the decision was trained with
 * @throws QuerentError `unusable-judgments`; `bad-config` for a decision that was trained on other features; `aborted`
 */
export async function trainRerankingAlone(
  given: readonly Example[],
  decision: DecisionSection | undefined,
  terms: TermWeights,
  options: RerankingOptions,
): Promise<RerankSection> {
  checkTeachable(given)
  const examples = withShortLists(given)
  const reader = createReader(terms, rememberedDocuments)
  if (decision === undefined) return rerankingOf(examples, async ({ lists }) => lists, reader, options)
  const searched = await searchPlans(examples, () => decision, reader, {
    signal: options.signal,
    onProgress: (done, total) => options.onProgress?.({ phase: 'plans', done, total }),
  })
  return trainReranking(searched, decision, reader, options)
}

async function rerankingOf(
  examples: readonly Example[],
  searched: (example: Example, index: number) => Promise<readonly RankedList[]>,
  reader: Reader,
  { seed, signal, onProgress }: RerankingOptions,
): Promise<RerankSection> {
  async function* brought(): AsyncGenerator<RerankExample> {
    for (const [index, example] of examples.entries()) {
      await yieldAt(index, signal)
      const { query, golds, keys, collection } = example
      const lists = await searched(example, index)
      const documentOf = await readPoolOf(example, lists)
      const common = { query, documentOf, keys, collection }
      yield { ...common, lists, golds }
      if (index % everyUnanswered === 0)
        yield { ...common, lists: listsWithout(lists, golds), golds: new Map() }
    }
  }
  return fitReranker(brought(), reader, {
    seed,
    ...(signal && { signal }),
    onProgress({ step, done, total = Math.ceil((1 + 1 / everyUnanswered) * examples.length) }) {
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
  'fit pair': [12, 3],
} as const
const rerankingParts = 15
