/** Trains a policy for a file, from indexes and judged queries. */
import { createHash } from 'node:crypto'
import type { OpenedIndex } from '../../../src/index-folder/open.ts'
import { version } from '../../../src/index-folder/version.ts'
import { checkAborted } from '../../../src/runtime/yield.ts'
import { countTerms, type TermWeights } from '../../../src/text/term-weights.ts'
import { conversationOf } from '../../../src/training/data/conversations.ts'
import type { Document, Qrels, Query } from '../../../src/types.ts'
import type { PolicyFile, TrainedOn } from '../policy-file.ts'
import { policyDigest } from '../policy-store.ts'
import { legsOf } from '../shipped.ts'
import type { RewardOptions } from './action-space.ts'
import { checkEnough, type JudgedQueries, judgedQueries } from './check-training-data.ts'
import { readCheckpoint, type TrainingRun, writeCheckpoint } from './checkpoint-file.ts'
import { defaultChoice, defaultReward } from './defaults.ts'
import { collectExamples, type Example } from './example.ts'
import {
  type PolicyTrainingOptions,
  type TrainedPolicy,
  type TrainingProgress,
  trainPolicy,
} from './train-policy.ts'
import { trainRerankingAlone } from './train-reranking.ts'

/** Judged queries, and the index of their collection's documents. */
export interface IndexedCollection {
  /** Unique among the collections of a training. */
  readonly name: string
  readonly queries: readonly Query[]
  readonly qrels: Qrels
  readonly index: OpenedIndex
}

export interface IndexTrainingOptions {
  /** Determines the folds, the initial weights, the order of queries and the draws. Default: 1. */
  readonly seed?: number | undefined
  /** Epochs of the curriculum's Stage II. Default: as in `defaultChoice`. */
  readonly epochs?: number | undefined
  /** The price of each sub-query, subtracted from the reward. A higher price leaves more queries alone. Default: 0. */
  readonly cost?: number | undefined
  /**
   * τ_thres of the paper's filter: Stage II trains only on queries whose τ is at most this (eq. 8). Default: no filter. The
   * paper uses 5/3.
   */
  readonly tauMax?: number | undefined
  /** The fraction of queries to train on, hardest first (A.3), above 0 and at most 1. Default: 1. The paper uses 0.5 for HotpotQA. */
  readonly keepHardest?: number | undefined
  /** The maximum number of hits of a list. Default: 100. */
  readonly depth?: number | undefined
  /** Whether to fit re-ranking as well. Default: true. */
  readonly rerank?: boolean | undefined
  /**
   * A policy whose decision to keep; only re-ranking is fitted. `none` searches queries unchanged. By default, the decision is
   * fitted as well.
   */
  readonly decided?: PolicyFile | 'none' | undefined
  /** The checkpoint file. The caller removes it when the policy is safe. Default: none. */
  readonly checkpoint?: string | undefined
  /** Whether to resume from the checkpoint. Default: false. */
  readonly resume?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Called for each collection before the first search. */
  readonly onCollection?: ((collection: { readonly name: string } & JudgedQueries) => void) | undefined
  readonly onProgress?: ((progress: IndexTrainingProgress) => void) | undefined
  /** Called after each write of the checkpoint file. */
  readonly onCheckpoint?: (() => void) | undefined
}

export type IndexTrainingProgress =
  | { readonly phase: 'documents' | 'queries'; readonly done: number; readonly total: number }
  | TrainingProgress

export interface IndexTraining extends Pick<TrainedPolicy, 'log' | 'curve'> {
  readonly policy: PolicyFile
}

/** How many documents of each corpus are sampled for term weights. */
const maxCountedDocuments = 20_000

/**
 * Trains a policy. The same indexes, queries, judgments and options give the same policy, even if the training was stopped and
 * resumed.
 *
 * @throws QuerentError `cannot-teach`, before the first search if possible; `missing-file`, `bad-file`, `bad-config` for a
 *   checkpoint that cannot be resumed; `aborted`; the error of a retriever
 */
export async function trainOnIndexes(
  collections: readonly IndexedCollection[],
  options: IndexTrainingOptions = {},
): Promise<IndexTraining> {
  const { depth = 100, checkpoint: path, signal, onProgress } = options
  const judged: (IndexedCollection & JudgedQueries)[] = []
  for (const collection of collections) {
    const { name, queries, qrels, index } = collection
    const found = await judgedQueries(name, queries, qrels, index.documents, signal)
    judged.push({ ...collection, ...found })
    options.onCollection?.({ name, ...found })
  }
  checkEnough(judged.reduce((sum, { queries }) => sum + queries.length, 0))
  const trainedOn = judged.map(originOf)
  const settings = settingsOf(options)
  const run = runOf(judged, trainedOn, settings)
  const resume = options.resume && path !== undefined ? await readCheckpoint(path, run) : {}

  const terms = keptOf(options)?.terms ?? (await termsOf(judged, options))
  const examples = await collectExamples(
    judged.map(({ name, queries, qrels, index }) => ({
      name,
      queries,
      qrels,
      retrievers: index.retrievers,
      documents: (docids) => index.documents.get(docids),
      corpusName: index.manifest.corpus,
      groupOf: conversationOf,
    })),
    { depth, signal, onProgress: (done, total) => onProgress?.({ phase: 'queries', done, total }) },
  )
  const fitted = await fitSections(examples, terms, settings)
  const { decision, rerank, log = [], curve = [] } = fitted
  const policy = {
    format: 'querent-policy' as const,
    version: 1 as const,
    terms,
    ...(decision && { decision }),
    ...(rerank && { rerank }),
    options: { ...settings },
    trainedOn,
  }
  return { policy: { ...policy, digest: policyDigest(policy) }, log, curve }

  async function fitSections(
    examples: readonly Example[],
    terms: TermWeights,
    { seed, reward, choice, rerank }: Settings,
  ): Promise<Partial<TrainedPolicy>> {
    const common = { seed, signal, onProgress }
    if (options.decided !== undefined) {
      const decision = keptOf(options)?.decision
      return {
        ...(decision && { decision }),
        rerank: await trainRerankingAlone(examples, decision, terms, common),
      }
    }
    return trainPolicy(examples, terms, {
      ...common,
      ...(reward && { reward }),
      ...(choice && { choice }),
      rerank,
      resume,
      async onCheckpoint(checkpoint) {
        if (path === undefined) return
        await writeCheckpoint(path, run, checkpoint)
        options.onCheckpoint?.()
      },
    })
  }
}

const keptOf = ({ decided }: IndexTrainingOptions): PolicyFile | undefined =>
  decided === 'none' ? undefined : decided

/** Everything besides the data that determines the result. Plain JSON; the policy file contains it. */
interface Settings {
  readonly querent: string
  readonly seed: number
  readonly depth: number
  readonly rerank: boolean
  /** Options for training the decision; absent if it is kept. */
  readonly reward?: RewardOptions
  readonly choice?: NonNullable<PolicyTrainingOptions['choice']>
  /** `none`, or the digest of the policy whose decision was kept. */
  readonly decision?: string
}

function settingsOf(options: IndexTrainingOptions): Settings {
  const { seed = 1, epochs, cost, tauMax, keepHardest, depth = 100, rerank = true, decided } = options
  return {
    querent: version,
    seed,
    depth,
    rerank,
    ...(decided !== undefined
      ? { decision: keptOf(options)?.digest ?? 'none' }
      : {
          reward: { ...defaultReward, ...(cost !== undefined && { cost }) },
          choice: {
            ...defaultChoice,
            curriculum: {
              ...defaultChoice.curriculum,
              ...(epochs !== undefined && { stageTwoEpochs: epochs }),
              ...(tauMax !== undefined && { filter: true, tauMax }),
              ...(keepHardest !== undefined && { retain: keepHardest }),
            },
          },
        }),
  }
}

function originOf({ name, queries, qrels, index }: IndexedCollection): TrainedOn {
  const judgments = queries.map(({ qid, text, history }) => [qid, text, history, [...qrels.get(qid!)!]])
  return {
    collection: name,
    queries: queries.length,
    retrievers: legsOf(index.retrievers).map(({ name }) => name),
    judgements: createHash('sha256').update(JSON.stringify(judgments)).digest('hex'),
    corpus: index.manifest.corpus,
  }
}

function runOf(
  judged: readonly IndexedCollection[],
  trainedOn: readonly TrainedOn[],
  settings: Settings,
): TrainingRun {
  const parts: [string, string][] = Object.entries(settings).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ])
  trainedOn.forEach(({ collection, retrievers, judgements, corpus }, place) => {
    const model = judged[place]!.index.manifest.dense?.name
    parts.push([`the queries and judgments of ${collection}`, judgements])
    parts.push([`the index of ${collection}`, JSON.stringify([corpus, retrievers, model])])
  })
  return Object.fromEntries([...parts, ['collections', trainedOn.map((one) => one.collection).join(', ')]])
}

/** The weights of words, from every n-th document of each corpus. */
async function termsOf(
  collections: readonly IndexedCollection[],
  { signal, onProgress }: IndexTrainingOptions,
): Promise<TermWeights> {
  const indexes = [...new Map(collections.map(({ index }) => [index.manifest.corpus, index])).values()]
  const total = indexes.reduce((sum, { documents }) => sum + documents.size, 0)
  const sample: Document[] = []
  let done = 0
  for (const index of indexes) {
    const step = Math.ceil(index.documents.size / maxCountedDocuments)
    let place = 0
    for await (const document of index.documents.all()) {
      if (place++ % step === 0) sample.push(document)
      if (++done % 1000 === 0) {
        checkAborted(signal)
        onProgress?.({ phase: 'documents', done, total })
      }
    }
  }
  return countTerms(sample)
}
