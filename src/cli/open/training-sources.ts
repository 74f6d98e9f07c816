/** The training data of `querent train`: BEIR folders, files of queries and judgments, or traces from production. */
import { basename, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { readQrels } from '../../evaluation/trec.ts'
import { readTraces } from '../../training/data/read-traces.ts'
import type { Qrels, Query } from '../../types.ts'
import { count } from '../output/count.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { sayWithoutQuery } from './read-judged.ts'
import { countIndexes } from './training-indexes.ts'
import { readTrainingSplit, warnOfTest } from './training-split.ts'

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
  settings: SettingsOf<'train'>,
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

function checkSources(folders: readonly string[], settings: SettingsOf<'train'>): void {
  const { queries, qrels, traces } = settings
  const files = queries !== undefined || qrels !== undefined || traces !== undefined
  if (files && folders.length > 1)
    throw new QuerentError(
      'bad-config',
      `--queries, --qrels and --traces describe one collection, but ${folders.length} are named`,
      { remedy: 'Put the files into one BEIR folder per collection.' },
    )
  if (traces !== undefined) {
    if (folders.length > 0 || queries !== undefined)
      throw new QuerentError('bad-config', '--traces has its own queries', {
        remedy: 'Use it with --qrels and --index, without a folder or --queries.',
      })
    required(settings, 'qrels')
  } else if (folders.length === 0 && (queries === undefined || qrels === undefined))
    throw new QuerentError('bad-config', 'No training data', {
      remedy: 'Name BEIR folders, or give --qrels with --queries or --traces.',
    })
  const [indexes, sources] = [countIndexes(settings), Math.max(1, folders.length)]
  if (indexes !== sources)
    throw new QuerentError(
      'bad-config',
      `There are ${count(sources, 'collection')} but ${count(indexes, 'index', 'indexes')}`,
      { remedy: 'Give one --index for each collection, in the same order; on clusters, one --retrievers.' },
    )
}

/** The queries of traces: the first of each qid. */
async function readJudgedTraces(
  path: string,
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<TrainingSource> {
  const { signal } = terminal
  const judgments = required(settings, 'qrels')
  warnOfTest([path, judgments], terminal)
  const qrels = await readQrels(judgments, { signal })
  const queries = new Map<string, Query>()
  let anonymous = 0
  for await (const { query } of readTraces(path, { signal })) {
    const { k: _, ...asked } = query
    if (query.qid === undefined) anonymous++
    else if (!queries.has(query.qid)) queries.set(query.qid, asked)
  }
  if (anonymous > 0)
    say(
      terminal,
      `Skipped ${count(anonymous, 'trace')} in ${path}: without a qid, their queries have no judgments.`,
    )
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
