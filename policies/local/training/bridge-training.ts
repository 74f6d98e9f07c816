/** Trains the second stage: which documents are seeds, and which names in them lead to a relevant document. */

import { foldsOf } from '../../../src/learn/folds.ts'
import type { RankProblem } from '../../../src/learn/listwise.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { Reader } from '../../../src/text/reader.ts'
import { gradesIn } from '../../../src/training/data/relevant-docs.ts'
import { bridgeFeatures } from '../decision/bridge-features.ts'
import { type Bridge, bridgesOf } from '../decision/bridges.ts'
import { rowsOf, type SecondStageModels } from '../decision/second-stage.ts'
import { firstInputs } from '../rerank/features.ts'
import { type PoolView, viewPool } from '../rerank/pool-cache.ts'
import { crossFit } from './cross-fit.ts'
import { type Example, readPoolOf } from './example.ts'
import { partsOf } from './joined-searches.ts'
import type { RerankingOptions } from './rerank-training.ts'

/** A gold counts as found among this many first hits of a look-up. */
const lookUpDepth = 2

/** A gold among this many first hits of the original query needs no bridge: the target is a fifth. */
const alreadyHigh = 5
const alreadyHighTarget = 0.2

/** The models fitted on all examples, and for each example models fitted without it and without examples that share a key. */
export interface CrossFittedSecondStage {
  readonly all: SecondStageModels
  readonly folds: readonly SecondStageModels[]
  /** The index in `folds` of each example. */
  readonly foldOf: readonly number[]
}

/** The number of folds: the models of the next step learn from scores that have not seen their example. */
const folds = 3

/** How many documents of an example the seed scorer learns from. */
const maxRows = 30

/** Fits both scorers. Seeds are chosen by a scorer that has not seen the example. @throws `aborted` */
export async function fitSeedsAndBridges(
  examples: readonly Example[],
  reader: Reader,
  { seed, signal, onProgress }: RerankingOptions,
): Promise<CrossFittedSecondStage> {
  const foldOf = foldsOf(
    examples.map(({ keys }) => keys),
    Math.max(1, Math.min(folds, examples.length)),
    seed,
  )
  const fit = { seed, ...(signal && { signal }) }
  const { lexicon } = reader
  const report = (done: number): void =>
    onProgress?.({ phase: 'second stage', done, total: 2 * examples.length })

  const looks: Look[] = []
  for (const [index, example] of examples.entries()) {
    await yieldAt(index, signal)
    const { query, lists } = example
    looks.push({ ...viewPool(query, lists, await readPoolOf(example, lists), reader), example })
    report(index + 1)
  }
  const seeds = await crossFit(looks.map(seedProblemOf), foldOf, 1, { ...fit, inputs: firstInputs, maxRows })
  const { outOfFold } = seeds
  const problems = await bridgeProblemsOf(looks, outOfFold, lexicon, signal, (done) =>
    report(examples.length + done),
  )
  const bridges = await crossFit(problems, foldOf, 1, { ...fit, inputs: bridgeFeatures })
  return {
    all: { seeds: seeds.scorers[0]!, bridges: bridges.scorers[0]! },
    folds: Array.from({ length: seeds.byFold.size }, (_, fold) => {
      return { seeds: seeds.byFold.get(fold)!, bridges: bridges.byFold.get(fold)! }
    }),
    foldOf: [...foldOf],
  }
}

/** An example with the features of its documents. */
interface Look extends PoolView {
  readonly example: Example
}

/** The problem of finding the relevant documents. */
function seedProblemOf({ example: { golds }, retrieved, features }: Look): RankProblem {
  return { features: features.first, rows: features.rows, targets: gradesIn(retrieved, golds) }
}

/**
 * The problem of finding the names that lead to a relevant document.
 *
 * @param seedScores for each look, the scores of its documents by a scorer that was fitted on the other folds
 */
async function bridgeProblemsOf(
  looks: readonly Look[],
  seedScores: readonly Float64Array[],
  lexicon: Lexicon,
  signal: AbortSignal | undefined,
  onDone: (done: number) => void,
): Promise<RankProblem[]> {
  const problems: RankProblem[] = []
  for (const [first, part] of partsOf(looks)) {
    const found: Bridge[][] = []
    for (const [place, { question, features }] of part.entries()) {
      await yieldAt(first + place, signal)
      found.push(bridgesOf(question, features, softmax(seedScores[first + place]!), lexicon))
    }
    const targets = await Promise.all(part.map((one, place) => targetsOf(found[place]!, one)))
    found.forEach((bridges, place) => {
      problems.push({ features: rowsOf(bridges), rows: bridges.length, targets: targets[place]! })
    })
    onDone(problems.length)
  }
  return problems
}

/** 1 for a bridge whose name finds a relevant document other than its seed; less if the query ranks it high. */
async function targetsOf(bridges: readonly Bridge[], { example, retrieved }: Look): Promise<Float32Array> {
  const { golds, lookUp } = example
  const { candidates } = retrieved
  const found =
    bridges.length === 0
      ? []
      : await lookUp(
          bridges.map(({ name }) => name),
          lookUpDepth,
        )
  const ranks = new Map(
    candidates.map(({ docid, lexical, dense }) => [docid, bestRank(lexical.rank, dense.rank)]),
  )
  return Float32Array.from(bridges, ({ seed }, place) => {
    const own = candidates[seed]!.docid
    const reached = found[place]!.filter((docid) => docid !== own && (golds.get(docid) ?? 0) > 0)
    if (reached.length === 0) return 0
    return reached.some((docid) => (ranks.get(docid) ?? Infinity) > alreadyHigh) ? 1 : alreadyHighTarget
  })
}

const bestRank = (...ranks: readonly number[]): number =>
  Math.min(...ranks.map((rank) => (rank === 0 ? Infinity : rank)))
