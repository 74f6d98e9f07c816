/** Trains the second stage: whose documents are seeds, and whose names in them lead to a relevant document. */
import { bridgeFeatures } from '../../policies/local/bridge-features.ts'
import { type Bridge, bridgesOf } from '../../policies/local/bridges.ts'
import { askingStems, cuesBeside, prepareCues } from '../../policies/local/cues.ts'
import { rowsOf, type SecondStageModels } from '../../policies/local/second-stage.ts'
import { featuresOf, firstInputs, type PoolFeatures } from '../rerank/features.ts'
import type { Retrieved } from '../rerank/pool.ts'
import { type Question, readQuestion } from '../rerank/question.ts'
import { type DocumentOf, readPool } from '../rerank/rerank.ts'
import { softmax } from '../softmax.ts'
import type { Reader } from '../text/reader.ts'
import type { Query, RankedList } from '../types.ts'
import { crossFit } from './cross-fit.ts'
import { createCueCounter } from './cue-training.ts'
import { foldsOf } from './folds.ts'
import type { RankProblem } from './listwise.ts'
import { nextTurn } from './turns.ts'

/** One judged query and what was retrieved for it as it is. */
export interface BridgeExample {
  readonly query: Query
  readonly lists: readonly RankedList[]
  /** docid → grade; a grade of 0 or below is not relevant. */
  readonly golds: ReadonlyMap<string, number>
  readonly documentOf: DocumentOf
  /** Sees to it that `documentOf` has the documents of the pool. Called for each example right before it is looked at. */
  readPool?(): Promise<void>
  /** For each name the docids that searching for it finds first, two are enough. */
  lookUp(names: readonly string[]): Promise<readonly (readonly string[])[]>
  /** Examples that share a key, of a relevant document or of a conversation, are never on both sides of a fold. */
  readonly keys: readonly string[]
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

/** Names of documents that are less probably relevant teach nothing about cues. */
const leastProbability = 0.02

/**
 * Fits both scorers; the bridges come from seeds that were chosen by a scorer which has not seen their example. Where no
 * example has a relevant document in its lists, or none a bridge that leads to one, the scorer finds all alike.
 *
 * @throws QuerentError `aborted`
 */
export async function fitSeedsAndBridges(
  examples: readonly BridgeExample[],
  reader: Reader,
  { seed, folds: count = 5, signal, onProgress }: BridgeTrainingOptions,
): Promise<CrossFittedSecondStage> {
  const folds = foldsOf(
    examples.map(({ keys }) => keys),
    Math.max(1, Math.min(count, examples.length)),
    seed,
  )
  const common = { seed, ...(signal && { signal }) }
  const { lexicon } = reader

  const looks: Look[] = []
  for (const [index, example] of examples.entries()) {
    await nextTurn(index, signal)
    await example.readPool?.()
    looks.push(look(example, reader))
    onProgress?.({ step: 'seeds', done: index + 1 })
  }
  const seedProblems = looks.map(({ features, retrieved }, index): RankProblem => {
    const { golds } = examples[index]!
    const targets = Float32Array.from(retrieved.candidates, ({ docid }) => Math.max(0, golds.get(docid) ?? 0))
    return { features: features.first, rows: features.rows, targets }
  })
  const seeds = await crossFit(seedProblems, folds, 1, { ...common, inputs: firstInputs, mostRows })

  const counter = createCueCounter(lexicon)
  const targets: Float32Array[] = []
  for (const [index, example] of examples.entries()) {
    await nextTurn(index, signal)
    const { features, question } = looks[index]!
    const probabilities = softmax(seeds.outOfFold[index]!)
    const bridges = bridgesOf(question, features, probabilities, lexicon)
    const own = await targetsOf(bridges, example, looks[index]!)
    targets.push(own)
    onProgress?.({ step: 'bridges', done: index + 1 })
    if (own.every((target) => target === 0)) continue
    const asking = askingStems(question.text, lexicon)
    bridges.forEach(({ seed: row, from }, place) => {
      if (probabilities[row]! < leastProbability) return
      const { text } = features.documents[row]!.read
      const beside = cuesBeside(text, from.start, from.end, from.sentence, lexicon)
      counter.count(folds[index]!, asking, beside, own[place]! > 0)
    })
  }

  const highest = folds.reduce((most, fold) => Math.max(most, fold), 0)
  const cuesOf = Array.from({ length: 1 + highest }, (_, fold) => counter.cues(fold))
  const cuesFor = cuesOf.map(prepareCues)
  const bridgeProblems: RankProblem[] = []
  for (const [index, { question, features }] of looks.entries()) {
    await nextTurn(index, signal)
    const probabilities = softmax(seeds.outOfFold[index]!)
    const readCues = cuesFor[folds[index]!]!(question, lexicon)
    const bridges = bridgesOf(question, features, probabilities, lexicon, readCues)
    bridgeProblems.push({ features: rowsOf(bridges), rows: bridges.length, targets: targets[index]! })
  }
  const bridges = await crossFit(bridgeProblems, folds, 1, { ...common, inputs: bridgeFeatures })
  return {
    all: { cues: counter.cues(), seeds: seeds.scorers[0]!, bridges: bridges.scorers[0]! },
    folds: Array.from(cuesOf, (cues, fold) => ({
      cues,
      seeds: seeds.byFold.get(fold)!,
      bridges: bridges.byFold.get(fold)!,
    })),
    foldOf: [...folds],
  }
}

interface Look {
  readonly question: Question
  readonly retrieved: Retrieved
  readonly features: PoolFeatures
}

function look({ query, lists, documentOf }: BridgeExample, reader: Reader): Look {
  const question = readQuestion(query, reader.lexicon)
  const { retrieved, reads } = readPool(query, lists, documentOf, reader)
  return { question, retrieved, features: featuresOf(question, retrieved, reads, reader.lexicon) }
}

/** 1 for a bridge whose name finds a relevant document other than its seed, less where the query itself finds it at the top. */
async function targetsOf(
  bridges: readonly Bridge[],
  { golds, lookUp }: BridgeExample,
  { retrieved }: Look,
): Promise<Float32Array> {
  const found = bridges.length === 0 ? [] : await lookUp(bridges.map(({ name }) => name))
  const ranks = new Map(
    retrieved.candidates.map(({ docid, lexical, dense }) => [docid, bestRank(lexical.rank, dense.rank)]),
  )
  return Float32Array.from(bridges, ({ seed }, place) => {
    const own = retrieved.candidates[seed]!.docid
    const reached = found[place]!.slice(0, lookUpDepth).filter(
      (docid) => docid !== own && (golds.get(docid) ?? 0) > 0,
    )
    if (reached.length === 0) return 0
    return reached.some((docid) => (ranks.get(docid) ?? Infinity) > alreadyHigh) ? 1 : alreadyHighTarget
  })
}

const bestRank = (...ranks: readonly number[]): number =>
  Math.min(...ranks.map((rank) => (rank === 0 ? Infinity : rank)))
