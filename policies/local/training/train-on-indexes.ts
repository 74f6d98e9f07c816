/** Trains a policy for a file, from indexes and judged queries. */
import type { TermWeights } from '../../../src/text/term-weights.ts'
import { conversationOf } from '../../../src/training/data/conversations.ts'
import { policyDigest } from '../policy-file/policy-digest.ts'
import { type PolicyFile, policyVersion } from '../policy-file/policy-file.ts'
import { checkEnough, type JudgedQueries, judgedQueries } from './check-training-data.ts'
import { collectExamples, type Example } from './example.ts'
import { withFewerDigits } from './fewer-digits.ts'
import type { IndexedCollection, IndexTrainingOptions } from './index-training-options.ts'
import { keptOf, originOf, type Settings, settingsOf } from './policy-options.ts'
import { termsOf } from './sampled-terms.ts'
import { type TrainedPolicy, trainPolicy } from './train-policy.ts'
import { trainRerankingAlone } from './train-reranking.ts'

export type {
  IndexedCollection,
  IndexTrainingOptions,
  IndexTrainingProgress,
} from './index-training-options.ts'

export interface IndexTraining {
  readonly policy: PolicyFile
}

/**
 * Trains a policy. The same indexes, queries, judgments and options give the same policy.
 *
 * @throws QuerentError `bad-config` if nothing is to be trained; `unusable-judgments`, before the first search if possible; `aborted`; the error of a retriever
 */
export async function trainOnIndexes(
  collections: readonly IndexedCollection[],
  options: IndexTrainingOptions = {},
): Promise<IndexTraining> {
  const { depth = 100, signal, onProgress } = options
  const settings = settingsOf(options)
  const judged: (IndexedCollection & JudgedQueries)[] = []
  for (const collection of collections) {
    const { name, queries, qrels, index } = collection
    const found = await judgedQueries(name, queries, qrels, index.documents, signal)
    judged.push({ ...collection, ...found })
    options.onCollection?.({ name, ...found })
  }
  checkEnough(judged.reduce((sum, { queries }) => sum + queries.length, 0))
  const trainedOn = judged.map(originOf)
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
  const fitted = withFewerDigits(await fitSections(examples, terms, settings))
  const { decision, rerank } = fitted
  const policy = {
    format: 'querent-policy' as const,
    version: policyVersion,
    terms,
    ...(decision && { decision }),
    ...(rerank && { rerank }),
    options: { ...settings },
    trainedOn,
  }
  return { policy: { ...policy, digest: policyDigest(policy) } }

  async function fitSections(
    examples: readonly Example[],
    terms: TermWeights,
    { seed, rerank }: Settings,
  ): Promise<Partial<TrainedPolicy>> {
    const common = { seed, signal, onProgress }
    if (options.decided !== undefined) {
      const decision = keptOf(options)?.decision
      return {
        ...(decision && { decision }),
        rerank: await trainRerankingAlone(examples, decision, terms, common),
      }
    }
    return trainPolicy(examples, terms, { ...common, rerank })
  }
}
