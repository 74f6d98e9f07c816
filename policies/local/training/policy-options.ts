/** What a policy's file says of its training: the data and the options that determine its result. */
import { createHash } from 'node:crypto'
import { QuerentError } from '../../../src/errors.ts'
import { version } from '../../../src/index-folder/version.ts'
import type { PolicyFile, TrainedOn } from '../policy-file/policy-file.ts'
import { legsOf } from '../shipped.ts'
import type { IndexedCollection, IndexTrainingOptions } from './index-training-options.ts'

/** The policy whose decision is kept. */
export const keptOf = ({ decided }: IndexTrainingOptions): PolicyFile | undefined =>
  decided === 'none' ? undefined : decided

/** Everything besides the data that determines the result. Plain JSON; the policy file contains it. */
export interface Settings {
  readonly querent: string
  readonly seed: number
  readonly depth: number
  readonly rerank: boolean
  /** `none`, or the digest of the policy whose decision was kept. */
  readonly decision?: string
}

/** The options with their defaults. @throws QuerentError `bad-config` if they leave nothing to train */
export function settingsOf(options: IndexTrainingOptions): Settings {
  const { seed = 1, depth = 100, rerank = true, decided } = options
  if (!rerank && decided !== undefined)
    throw new QuerentError(
      'bad-config',
      'With `decided`, re-ranking is all that is trained: `rerank` is false',
      {
        remedy: 'Leave out one of them.',
      },
    )
  return {
    querent: version,
    seed,
    depth,
    rerank,
    ...(decided !== undefined && { decision: keptOf(options)?.digest ?? 'none' }),
  }
}

/** What a policy says of the data that it was trained on. */
export function originOf({ name, queries, qrels, index }: IndexedCollection): TrainedOn {
  const judgments = queries.map(({ qid, text, history }) => [qid, text, history, [...qrels.get(qid!)!]])
  return {
    collection: name,
    queries: queries.length,
    retrievers: legsOf(index.retrievers).map(({ name }) => name),
    judgements: createHash('sha256').update(JSON.stringify(judgments)).digest('hex'),
    corpus: index.manifest.corpus,
  }
}
