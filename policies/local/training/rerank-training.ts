/** Trains re-ranking: each network learns from scores of those before it, which have not seen the example. */
import { QuerentError } from '../../../src/errors.ts'
import { foldsOf } from '../../../src/learn/folds.ts'
import type { RankProblem } from '../../../src/learn/listwise.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { orderOf } from '../../../src/rank.ts'
import { yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import { gradesIn } from '../../../src/training/data/relevant-docs.ts'
import type { Document, Query, RankedList } from '../../../src/types.ts'
import { featuresOf, firstInputs, type PoolFeatures, secondInputs } from '../rerank/features.ts'
import { groupsOf, pairInputs, topSize } from '../rerank/group-features.ts'
import { poolAtHand, type Retrieved } from '../rerank/pool.ts'
import { type Question, readQuestion } from '../rerank/question.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { groupOffsets, hasPairs, logsOf, withPairs } from '../rerank/scoring.ts'
import { fitConfidence } from './confidence-training.ts'
import { crossFit } from './cross-fit.ts'
import { type Example, readPoolOf } from './example.ts'
import { everyUnanswered, listsWithout } from './without-relevant.ts'

/** The progress of a phase of training, in examples; in networks for the gains. */
export interface PhaseProgress {
  readonly phase: 'second stage' | 'plans' | 'gains' | 're-ranking'
  readonly done: number
  readonly total: number
}

export interface RerankingOptions {
  /** Determines the folds, the initial weights and the order of examples. */
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: PhaseProgress) => void) | undefined
}

/** [work before the step, work of the step] in fitting re-ranking. Measured; one unit is a pass over the queries. */
const steps = {
  'take in': [0, 1],
  read: [1, 1],
  'fit first': [2, 4],
  second: [6, 1],
  'fit second': [7, 4],
  pair: [11, 1],
  'fit pair': [12, 3],
} as const
const allSteps = 15

/** The number of folds, so each step learns from scores of models that have not seen the example. */
const parts = 5

/**
 * Scorers per step; the mean of their scores counts. With three in every step, no collection is better by more than half a point of
 * nDCG@10; with one in every step, plain questions lose up to 0.8.
 */
const models = { first: 1, second: 3, pair: 1 }

/** ReLU units of each scorer. With 16, HotpotQA's recall is half a point lower. More scorers or epochs gain nothing. */
const hidden = 32

/** With twice this rate, collections outside the training set lose up to a point of nDCG; those in it stay the same. */
const learningRate = 0.002

/** How many rows of a pool a step learns from: the relevant ones, the first ones, and a sample of the others. */
const maxRows = 60

/** An example without its lists, which are large and needed only once. */
interface Pooled {
  readonly query: Query
  readonly retrieved: Retrieved
  readonly documents: readonly Document[]
  readonly targets: Float32Array
  /** docid → grade, of the relevant documents, including those outside the pool. Empty for an index that cannot answer. */
  readonly golds: ReadonlyMap<string, number>
  readonly collection: string
  readonly keys: readonly string[]
}

/**
 * Fits a re-ranker. Examples without a relevant document in the pool teach confidence, but not the order. The same examples in
 * the same order, options and seed give the same section.
 *
 * @param brought returns the lists of an example, from the sub-queries that a policy chose
 * @throws QuerentError `bad-config` if fewer than two examples remain; `aborted`
 */
export async function fitReranker(
  given: readonly Example[],
  brought: (example: Example, index: number) => Promise<readonly RankedList[]>,
  reader: Reader,
  { seed, signal, onProgress }: RerankingOptions,
): Promise<RerankSection> {
  const examples = await takeIn()
  const teachable = examples.filter(({ targets }) => targets.some((target) => target > 0)).length
  if (teachable < 2)
    throw new QuerentError(
      'bad-config',
      `${teachable} examples have a relevant document among what was retrieved`,
      { remedy: 'Give judged queries whose relevant documents are in the index.' },
    )
  const folds = foldsOf(
    examples.map(({ keys }) => keys),
    Math.min(parts, examples.length),
    seed,
  )
  const common = { seed, hidden, learningRate, ...(signal && { signal }) }
  const fitted = new Set(folds).size
  const rowsOf = (features: Float32Array, { targets }: Pooled): RankProblem => ({
    features,
    rows: targets.length,
    targets,
  })

  const { lexicon } = reader
  const questions = examples.map(({ query }) => readQuestion(query, lexicon))
  const pools = await each('read', ({ retrieved, documents }, index) => {
    const reads = documents.map((document) => reader.read(document))
    return featuresOf(questions[index]!, retrieved, reads, lexicon)
  })

  const firstProblems = pools.map(({ first }, index) => rowsOf(first, examples[index]!))
  const first = await crossFit(firstProblems, folds, models.first, {
    ...common,
    inputs: firstInputs,
    maxRows,
    onFitted: counted('fit first', fitted + models.first),
  })

  const secondProblems = await each('second', (example, index) =>
    rowsOf(pools[index]!.second(softmax(first.outOfFold[index]!)), example),
  )
  const second = await crossFit(secondProblems, folds, models.second, {
    ...common,
    inputs: secondInputs,
    maxRows,
    onFitted: counted('fit second', fitted + models.second),
  })

  const pairProblems = await each('pair', (example, index) =>
    groupProblem(pools[index]!, questions[index]!, example, logsOf(second.outOfFold[index]!)),
  )
  const canPair = pairProblems.some(({ targets }) => targets.some((target) => target > 0))
  const pairOptions = {
    ...common,
    inputs: pairInputs,
    epochs: 6,
    onFitted: counted('fit pair', fitted + models.pair),
  }
  if (!canPair) report('fit pair', 1, 1)
  const pair = canPair ? await crossFit(pairProblems, folds, models.pair, pairOptions) : undefined

  const judged = examples.map((example, index) => {
    const raw = second.outOfFold[index]!
    const logs = logsOf(raw)
    const groups = pair?.outOfFold[index]
    return {
      ...example,
      question: questions[index]!,
      features: pools[index]!,
      result: {
        raw,
        second: logs,
        scores: groups?.length ? withPairs(logs, orderOf(logs), groups) : logs,
        probabilities: softmax(first.outOfFold[index]!),
      },
    }
  })
  return {
    first: first.scorers,
    second: second.scorers,
    pair: pair?.scorers ?? [],
    confidence: await fitConfidence(judged, { seed, signal }),
  }

  async function takeIn(): Promise<Pooled[]> {
    const kept: Pooled[] = []
    let done = 0
    for (const [index, example] of given.entries()) {
      await yieldAt(index, signal)
      const lists = await brought(example, index)
      const documentOf = await readPoolOf(example, lists)
      add(example, lists, example.golds)
      if (index % everyUnanswered === 0) add(example, listsWithout(lists, example.golds), new Map())

      function add(
        { query, collection, keys }: Example,
        from: readonly RankedList[],
        golds: Pooled['golds'],
      ) {
        const { retrieved, documents } = poolAtHand(query, from, documentOf)
        const targets = gradesIn(retrieved, golds)
        if (documents.length > 0) kept.push({ query, collection, keys, golds, retrieved, documents, targets })
        report('take in', ++done, Math.ceil((1 + 1 / everyUnanswered) * given.length))
      }
    }
    return kept
  }

  async function each<T>(
    step: keyof typeof steps,
    make: (example: Pooled, index: number) => T,
  ): Promise<T[]> {
    const made: T[] = []
    for (const [index, example] of examples.entries()) {
      await yieldAt(index, signal)
      report(step, index, examples.length)
      made.push(make(example, index))
    }
    return made
  }

  function counted(step: keyof typeof steps, total: number): () => void {
    let done = 0
    return () => report(step, ++done, total)
  }

  function report(step: keyof typeof steps, done: number, total: number): void {
    const [before, share] = steps[step]
    const parts = before + share * (done / total)
    onProgress?.({
      phase: 're-ranking',
      done: Math.round((parts / allSteps) * given.length),
      total: given.length,
    })
  }
}

/** Which of the first documents are relevant together: one if the query has a single relevant one, else a pair. */
function groupProblem(
  features: PoolFeatures,
  question: Question,
  { retrieved, targets, golds }: Pooled,
  logs: Float64Array,
): RankProblem {
  const top = hasPairs(question, retrieved) ? orderOf(logs).slice(0, topSize) : []
  const isGold = top.map((row) => targets[row]! > 0)
  const both = isGold.filter(Boolean).length >= 2
  const wanted = groupsOf(top.length).map(([a, b]) => {
    if (golds.size === 1) return b === undefined && isGold[a]
    if (b === undefined) return false
    return both ? isGold[a] && isGold[b] : isGold[a] || isGold[b]
  })
  return {
    features: features.groups(top, logs),
    rows: wanted.length,
    targets: Float32Array.from(wanted, (one) => (one ? 1 : 0)),
    offsets: groupOffsets(top, logs),
  }
}
