/** Trains the second stage: whose documents are seeds, and whose names in them lead to a relevant document. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bridgeFeatures, bridgesOf } from '../../policies/local/bridges.ts'
import { rowsOf, type SecondStageModels } from '../../policies/local/second-stage.ts'
import { QuerentError } from '../errors.ts'
import { featuresOf, firstInputs, type PoolFeatures } from '../rerank/features.ts'
import type { Retrieved } from '../rerank/pool.ts'
import { readQuestion } from '../rerank/question.ts'
import { type DocumentOf, readPool } from '../rerank/rerank.ts'
import { softmax } from '../softmax.ts'
import type { Reader } from '../text/reader.ts'
import type { Query, RankedList } from '../types.ts'
import { crossFit } from './cross-fit.ts'
import { foldsOf } from './folds.ts'
import type { RankProblem } from './listwise.ts'

/** One judged query and what was retrieved for it as it is. */
export interface BridgeExample {
  readonly query: Query
  readonly lists: readonly RankedList[]
  /** docid → grade; a grade of 0 or below is not relevant. */
  readonly golds: ReadonlyMap<string, number>
  readonly documentOf: DocumentOf
  /** For each name the docids that searching for it finds first, two are enough. */
  lookUp(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** Examples of the same group (a conversation) are never on both sides of a fold, nor are those that share a gold. */
  readonly group?: string
}

export interface BridgeTrainingOptions {
  readonly seed: number
  /** Default: 5. */
  readonly folds?: number
  readonly signal?: AbortSignal
  /** Called after each example. */
  readonly onProgress?: (progress: { readonly step: 'seeds' | 'bridges'; readonly done: number }) => void
}

/** A gold among so many that a look-up finds first counts as found. */
export const lookUpDepth = 2

/** A gold that the query as it is finds so high needs no bridge: leading to it teaches a fifth. */
const alreadyHigh = 5
const alreadyHighTarget = 0.2

const mostRows = 30

/** The scorers that were fitted on all examples, and for each example those that have not seen it or its like. */
export interface CrossFittedSecondStage {
  readonly all: SecondStageModels
  readonly folds: readonly SecondStageModels[]
  /** Of each example its place in `folds`. */
  readonly foldOf: readonly number[]
}

/**
 * Fits both scorers; the bridges come from seeds that were chosen by a scorer which has not seen their example.
 *
 * @throws QuerentError `bad-config` where no example has a relevant document in its lists, or none a bridge that leads to
 *   one; `aborted`
 */
export async function fitSeedsAndBridges(
  examples: readonly BridgeExample[],
  reader: Reader,
  { seed, folds: count = 5, signal, onProgress }: BridgeTrainingOptions,
): Promise<CrossFittedSecondStage> {
  const keys = examples.map(({ golds, group }) => [
    ...[...golds].filter(([, grade]) => grade > 0).map(([docid]) => `document ${docid}`),
    ...(group === undefined ? [] : [`group ${group}`]),
  ])
  const folds = foldsOf(keys, Math.max(1, Math.min(count, examples.length)), seed)
  const common = { seed, ...(signal && { signal }) }

  const seedProblems: RankProblem[] = []
  for (const [index, example] of examples.entries()) {
    await pause(index)
    const { features, retrieved } = look(example)
    const targets = Float32Array.from(retrieved.candidates, ({ docid }) =>
      Math.max(0, example.golds.get(docid) ?? 0),
    )
    seedProblems.push({ features: features.first, rows: features.rows, targets })
    onProgress?.({ step: 'seeds', done: index + 1 })
  }
  const seeds = await crossFit(seedProblems, folds, 1, { ...common, inputs: firstInputs, mostRows })

  const bridgeProblems: RankProblem[] = []
  for (const [index, example] of examples.entries()) {
    await pause(index)
    const { features, retrieved, question } = look(example)
    const probabilities = softmax(seeds.outOfFold[index]!)
    const bridges = bridgesOf(question, features, probabilities, reader.lexicon)
    const rows = rowsOf(bridges)
    const found = bridges.length === 0 ? [] : await example.lookUp(bridges.map(({ name }) => name))
    const ranks = new Map(
      retrieved.candidates.map(({ docid, lexical, dense }) => [docid, bestRank(lexical.rank, dense.rank)]),
    )
    const targets = Float32Array.from(bridges, (bridge, place) => {
      const own = retrieved.candidates[bridge.seed]!.docid
      const golds = found[place]!.slice(0, lookUpDepth).filter(
        (docid) => docid !== own && (example.golds.get(docid) ?? 0) > 0,
      )
      if (golds.length === 0) return 0
      return golds.some((docid) => (ranks.get(docid) ?? Infinity) > alreadyHigh) ? 1 : alreadyHighTarget
    })
    bridgeProblems.push({ features: rows, rows: bridges.length, targets })
    onProgress?.({ step: 'bridges', done: index + 1 })
  }
  const bridges = await crossFit(bridgeProblems, folds, 1, { ...common, inputs: bridgeFeatures })
  return {
    all: { seeds: seeds.scorers[0]!, bridges: bridges.scorers[0]! },
    folds: Array.from({ length: Math.max(...folds) + 1 }, (_, fold) => ({
      seeds: seeds.byFold.get(fold)!,
      bridges: bridges.byFold.get(fold)!,
    })),
    foldOf: [...folds],
  }

  async function pause(index: number): Promise<void> {
    if (index % examplesATurn === 0) await nextTurn()
    if (signal?.aborted)
      throw new QuerentError('aborted', 'The training was aborted', { cause: signal.reason })
  }

  function look({ query, lists, documentOf }: BridgeExample): {
    features: PoolFeatures
    retrieved: Retrieved
    question: ReturnType<typeof readQuestion>
  } {
    reader.begin()
    const question = readQuestion(query, reader.lexicon)
    const { retrieved, reads } = readPool(query, lists, documentOf, reader)
    return { features: featuresOf(question, retrieved, reads, reader.lexicon), retrieved, question }
  }
}

const examplesATurn = 16

const bestRank = (...ranks: readonly number[]): number =>
  Math.min(...ranks.map((rank) => (rank === 0 ? Infinity : rank)))
