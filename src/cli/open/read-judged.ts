/** Judged queries, for the commands that score. */
import { type BeirCollection, readBeir } from '../../evaluation/beir-folder.ts'
import { withoutQuery } from '../../evaluation/evaluate.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

type JudgedSettings = Pick<SettingsOf<'train'>, 'split' | 'queries' | 'qrels'>

/** The options of `readBeir`. */
export const beirOptions = ({ split, queries, qrels }: JudgedSettings, { signal }: Terminal) => ({
  signal,
  ...(split !== undefined && { split }),
  ...(queries !== undefined && { queries }),
  ...(qrels !== undefined && { qrels }),
})

/** Reads a split, names its files, and says what they lack. @throws as `readBeir` */
export async function readJudged(
  folder: string,
  settings: JudgedSettings,
  terminal: Terminal,
): Promise<BeirCollection> {
  const collection = await readBeir(folder, beirOptions(settings, terminal))
  const { split, queries, qrels } = collection.files
  say(terminal, `Split ${split}: queries from ${queries}, judgments from ${qrels}`)
  sayWithoutQuery(collection, queries, terminal)
  return collection
}

/** Names judged queries that are left out, because the file of queries has no line for them. */
export function sayWithoutQuery(
  { queries, qrels }: Pick<BeirCollection, 'queries' | 'qrels'>,
  file: string,
  terminal: Terminal,
): void {
  const qids = withoutQuery(queries, qrels)
  if (qids.length === 0) return
  const first = qids.length > 5 ? [...qids.slice(0, 5), '…'] : qids
  say(terminal, `Left out ${qids.length} of ${qrels.size} judged queries: ${file} lacks ${first.join(', ')}`)
}
