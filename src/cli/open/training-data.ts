/** The training data of `querent train`: BEIR folders, files of queries and judgments, or traces from production. */
import { basename, resolve } from 'node:path'
import { leastQueries } from '../../../policies/local/training/check-training-data.ts'
import type { IndexedCollection } from '../../../policies/local/training/train-on-indexes.ts'
import { QuerentError } from '../../errors.ts'
import { readQrels } from '../../evaluation/trec.ts'
import { holdOutTogether, type Split } from '../../training/data/hold-out.ts'
import { readTraces } from '../../training/data/read-traces.ts'
import { relevantOf } from '../../training/data/relevant-docs.ts'
import type { Qrels, Query } from '../../types.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'
import { readTrainingSplit, sayModels, sayWithoutQuery, warnOfTest } from './judged.ts'
import { indexChoices } from './training-indexes.ts'

type Settings = SettingsOf<'train'>

export interface TrainingSource {
  /** Unique among the sources. */
  readonly name: string
  readonly queries: readonly Query[]
  readonly qrels: Qrels
}

/**
 * Reads all sources, in their order.
 *
 * @throws QuerentError `bad-config` if they fit neither each other nor the indexes; what readers throw
 */
export async function readTrainingSources(
  folders: readonly string[],
  settings: Settings,
  terminal: Terminal,
): Promise<TrainingSource[]> {
  checkSources(folders, settings)
  if (settings.traces !== undefined) return [await readJudgedTraces(settings.traces, settings, terminal)]
  // With both files given, the folder is not read.
  const places = folders.length > 0 ? folders : [settings.queries!]
  const names = uniqueNames(places)
  const sources: TrainingSource[] = []
  for (const [place, folder] of places.entries()) {
    const { queries, qrels } = await readTrainingSplit(folder, settings, terminal)
    sources.push({ name: names[place]!, queries, qrels })
  }
  return sources
}

function checkSources(folders: readonly string[], settings: Settings): void {
  const { queries, qrels, traces } = settings
  refuse(
    (queries ?? qrels ?? traces) !== undefined && folders.length > 1,
    `--queries, --qrels and --traces describe one collection, but ${folders.length} are named`,
    'Put the files into one BEIR folder per collection.',
  )
  refuse(
    traces !== undefined && (folders.length > 0 || queries !== undefined),
    '--traces has its own queries',
    'Use it with --qrels and --index, without a folder or --queries.',
  )
  if (traces !== undefined) required(settings, 'qrels')
  refuse(
    traces === undefined && folders.length === 0 && (queries === undefined || qrels === undefined),
    'No training data',
    'Name BEIR folders, or give --qrels with --queries or --traces.',
  )
  const [indexes, sources] = [indexChoices(settings).length, Math.max(1, folders.length)]
  refuse(
    indexes !== sources,
    `There are ${count(sources, 'collection')} but ${count(indexes, 'index', 'indexes')}`,
    'Give one --index for each collection, in the same order; on clusters, one --retrievers.',
  )
}

/** The queries of traces: the first of each qid. */
async function readJudgedTraces(
  path: string,
  settings: Settings,
  terminal: Terminal,
): Promise<TrainingSource> {
  const { signal } = terminal
  const judgments = required(settings, 'qrels')
  warnOfTest([path, judgments], terminal)
  const qrels = await readQrels(judgments, { signal })
  await sayModels(judgments, terminal)
  const queries = new Map<string, Query>()
  let anonymous = 0
  for await (const { query } of readTraces(path, { signal })) {
    const { k: _, ...asked } = query
    if (query.qid === undefined) anonymous++
    else if (!queries.has(query.qid)) queries.set(query.qid, asked)
  }
  const skipped = `Skipped ${count(anonymous, 'trace')} in ${path}`
  if (anonymous > 0) say(terminal, `${skipped}: without a qid, their queries have no judgments.`)
  const source = { name: uniqueNames([path])[0]!, queries: [...queries.values()], qrels }
  sayWithoutQuery(source, path, terminal)
  return source
}

/** Names of folders and files without `.jsonl`. The second of the same name is `name (2)`. */
function uniqueNames(paths: readonly string[]): string[] {
  const names = paths.map((path) => basename(resolve(path)).replace(/\.jsonl(\.gz)?$/, ''))
  return names.map((name, place) => {
    const before = names.slice(0, place).filter((other) => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}

/**
 * Collections in two parts that share no relevant document and no conversation, also where several collections are judged over
 * the same documents. Empty collections are left out.
 */
export interface HeldOut {
  readonly train: readonly IndexedCollection[]
  readonly test: readonly IndexedCollection[]
}

/**
 * Holds out about a fifth of the judged queries of each corpus.
 *
 * @throws QuerentError `unusable-judgments` if no query can be held out, or too few are left to train on
 */
export function holdOutQueries(collections: readonly IndexedCollection[], seed: number): HeldOut {
  const corpusOf = ({ index }: IndexedCollection): string => index.manifest.corpus
  const splitOf = new Map<IndexedCollection, Split<Query>>()
  for (const corpus of new Set(collections.map(corpusOf))) {
    const together = collections.filter((collection) => corpusOf(collection) === corpus)
    const judged = together.map(({ queries, qrels }) => ({
      queries: queries.filter(({ qid }) => relevantOf(qrels.get(qid ?? '')).length > 0),
      qrels,
    }))
    const splits = holdOutTogether(judged, seed)
    together.forEach((collection, place) => void splitOf.set(collection, splits[place]!))
  }
  const part = (name: keyof Split<Query>): IndexedCollection[] =>
    collections.flatMap((collection) => {
      const queries = splitOf.get(collection)![name]
      return queries.length === 0 ? [] : [{ ...collection, queries }]
    })
  const [train, test] = [part('train'), part('heldOut')]
  if (test.length === 0)
    throw new QuerentError('unusable-judgments', 'No query can be held out for --report', {
      remedy: 'All queries share relevant documents or a conversation. Train without --report.',
    })
  const left = countQueries(train)
  if (left < leastQueries)
    throw new QuerentError('unusable-judgments', `--report would leave ${queryCount(left)} to train on`, {
      remedy: `At least ${leastQueries} are needed. Judge more queries, or train without --report.`,
    })
  return { train, test }
}

export const countQueries = (collections: readonly IndexedCollection[]): number =>
  collections.reduce((sum, { queries }) => sum + queries.length, 0)
