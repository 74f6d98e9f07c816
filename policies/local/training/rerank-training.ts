/** Trains re-ranking: its three networks one after the other, each on what the one before says of examples that it has not seen. */
import { QuerentError } from '../../../src/errors.ts'
import { foldsOf } from '../../../src/learn/folds.ts'
import type { RankProblem } from '../../../src/learn/listwise.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import type { DocumentOf } from '../../../src/reranker.ts'
import { checkAborted, yieldAt } from '../../../src/runtime/yield.ts'
import type { Reader } from '../../../src/text/reader.ts'
import { gradesIn } from '../../../src/training/data/relevant-docs.ts'
import type { Document, Query, RankedList } from '../../../src/types.ts'
import { featuresOf, firstInputs, type PoolFeatures, secondInputs } from '../rerank/features.ts'
import { groupsOf, pairInputs, topSize } from '../rerank/group-features.ts'
import type { Retrieved } from '../rerank/pool.ts'
import { readQuestion } from '../rerank/question.ts'
import { poolAtHand } from '../rerank/rerank.ts'
import type { RerankSection } from '../rerank/rerank-section.ts'
import { groupOffsets, logsOf, orderOf } from '../rerank/scoring.ts'
import { crossFit, fitAll } from './cross-fit.ts'

/** One judged query and what was retrieved for it, by the sub-queries that a policy chose. */
export interface RerankExample {
  readonly query: Query
  readonly lists: readonly RankedList[]
  /** docid → grade; a grade of 0 or below is not relevant. */
  readonly golds: ReadonlyMap<string, number>
  readonly documentOf: DocumentOf
  /** Examples that share a key, of a relevant document or of a conversation, are never on both sides of a fold. */
  readonly keys: readonly string[]
}

export interface RerankTrainingOptions {
  /** Decides folds, first weights and the order of examples. */
  readonly seed: number
  readonly signal?: AbortSignal
  /** What is being done, and how far it is. */
  readonly onProgress?: (progress: RerankProgress) => void
}

interface RerankProgress {
  readonly step: 'take in' | 'read' | 'fit first' | 'second' | 'fit second' | 'pair' | 'fit pair'
  /** Examples, or scorers where some are fitted. */
  readonly done: number
  /** How many there are; not told while examples are taken in. */
  readonly total?: number
}

/** The examples are split into so many, so that each step learns from honest answers. */
const parts = 5

/** Scorers a step, of which the mean counts. */
const models = 3

/** ReLU units of each scorer: with 16, HotpotQA's recall is half a point lower; more scorers or epochs bring nothing. */
const hidden = 32

/** Twice as large, and collections that are not trained on lose up to a point of nDCG; those that are stay the same. */
const learningRate = 0.002

/** Rows of a pool that a step learns from: those that are relevant, the first ones, and a choice of the others. */
const maxRows = 60

/** An example without its lists: they are large, and are needed once. */
interface Example {
  readonly query: Query
  readonly retrieved: Retrieved
  readonly documents: readonly Document[]
  readonly targets: Float32Array
  /** How many documents are relevant, in the pool or not. */
  readonly golds: number
  readonly keys: readonly string[]
}

/**
 * Fits a re-ranker. Examples whose pool has no relevant document teach nothing and are left out. The same examples in the
 * same order, options and seed give the same section.
 *
 * @throws QuerentError `bad-config` where fewer than two examples can teach; `aborted`
 */
export async function fitReranker(
  given: AsyncIterable<RerankExample> | Iterable<RerankExample>,
  reader: Reader,
  { seed, signal, onProgress }: RerankTrainingOptions,
): Promise<RerankSection> {
  const examples = await takeIn(given)
  if (examples.length < 2)
    throw new QuerentError(
      'bad-config',
      `${examples.length} examples have a relevant document among what was retrieved`,
      {
        remedy: 'Give judged queries whose relevant documents are in the index.',
      },
    )
  const folds = foldsOf(
    examples.map(({ keys }) => keys),
    Math.min(parts, examples.length),
    seed,
  )
  const common = { seed, hidden, learningRate, ...(signal && { signal }) }
  const crossFits = new Set(folds).size + models
  const rowsOf = (features: Float32Array, { targets }: Example): RankProblem => ({
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
  const first = await crossFit(firstProblems, folds, models, {
    ...common,
    inputs: firstInputs,
    maxRows,
    onFitted: counted('fit first', crossFits),
  })

  const secondProblems = await each('second', (example, index) =>
    rowsOf(pools[index]!.second(softmax(first.outOfFold[index]!)), example),
  )
  const second = await crossFit(secondProblems, folds, models, {
    ...common,
    inputs: secondInputs,
    maxRows,
    onFitted: counted('fit second', crossFits),
  })

  const pairProblems = await each('pair', (example, index) =>
    groupProblem(pools[index]!, example, logsOf(second.outOfFold[index]!)),
  )
  const canPair = pairProblems.some(({ targets }) => targets.some((target) => target > 0))
  const pairOptions = { ...common, inputs: pairInputs, epochs: 6, onFitted: counted('fit pair', models) }
  if (!canPair) onProgress?.({ step: 'fit pair', done: models, total: models })
  const pair = canPair ? await fitAll(pairProblems, models, pairOptions) : []
  return { first: first.scorers, second: second.scorers, pair }

  async function takeIn(all: AsyncIterable<RerankExample> | Iterable<RerankExample>): Promise<Example[]> {
    const taken: Example[] = []
    let done = 0
    for await (const example of all) {
      checkAborted(signal)
      const small = withoutLists(example)
      if (small.targets.some((target) => target > 0)) taken.push(small)
      onProgress?.({ step: 'take in', done: ++done })
    }
    return taken
  }

  async function each<T>(
    step: RerankProgress['step'],
    make: (example: Example, index: number) => T,
  ): Promise<T[]> {
    const made: T[] = []
    for (const [index, example] of examples.entries()) {
      await yieldAt(index, signal)
      onProgress?.({ step, done: index, total: examples.length })
      made.push(make(example, index))
    }
    return made
  }

  function counted(step: RerankProgress['step'], total: number): () => void {
    let done = 0
    return () => onProgress?.({ step, done: ++done, total })
  }
}

function withoutLists({ query, lists, golds, documentOf, keys }: RerankExample): Example {
  const { retrieved, documents } = poolAtHand(query, lists, documentOf)
  return {
    query,
    retrieved,
    documents,
    targets: gradesIn(retrieved, golds),
    golds: [...golds.values()].filter((grade) => grade > 0).length,
    keys,
  }
}

/** Which of the first few are relevant together: one alone where a query has but one relevant document, else two. */
function groupProblem(features: PoolFeatures, { targets, golds }: Example, logs: Float64Array): RankProblem {
  const top = orderOf(logs).slice(0, topSize)
  const isGold = top.map((row) => targets[row]! > 0)
  const both = isGold.filter(Boolean).length >= 2
  const wanted = groupsOf(top.length).map(([a, b]) => {
    if (golds === 1) return b === undefined && isGold[a]
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
