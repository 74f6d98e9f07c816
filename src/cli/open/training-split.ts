import { basename, resolve } from 'node:path'
import { isQuerentError } from '../../errors.ts'
import { type BeirCollection, readBeir } from '../../evaluation/beir-folder.ts'
import { framed } from '../output/framed.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { beirOptions, sayWithoutQuery } from './read-judged.ts'

/** Matches names of test sets, but neither `latest` nor `contest`. */
const test = /(?<![a-z])test(?![a-z])/i

/**
 * The queries and judgments to train on: those of `--split`, else of `train`, else of `test`. Names the files, with a warning if
 * they are a test set.
 *
 * @throws what `readBeir` throws, for `train` if neither split exists
 */
export async function readTrainingSplit(
  folder: string,
  settings: Pick<SettingsOf<'train'>, 'split' | 'queries' | 'qrels'>,
  terminal: Terminal,
): Promise<BeirCollection> {
  const { split: _, ...options } = beirOptions(settings, terminal)
  const { split = 'train' } = settings
  const collection = await readBeir(folder, { ...options, split }).catch((error: unknown) => {
    if (settings.split !== undefined || !isMissingSplit(error)) throw error
    return readBeir(folder, options).catch((other: unknown) => {
      throw isMissingSplit(other) ? error : other
    })
  })
  const { files } = collection
  const isSplit = settings.queries === undefined || settings.qrels === undefined
  const which = isSplit ? `Split ${files.split}: queries` : 'Queries'
  say(terminal, `${which} from ${files.queries}, judgments from ${files.qrels}`)
  sayWithoutQuery(collection, files.queries, terminal)
  warnOfTest([settings.split ?? '', basename(resolve(folder)), files.queries, files.qrels], terminal)
  return collection
}

/** Warns if a file or its folder is named as a test set. */
export function warnOfTest(paths: readonly string[], terminal: Terminal): void {
  const names = paths.flatMap((path) => path.split(/[/\\]/).slice(-2))
  if (!names.some((name) => test.test(name))) return
  const warning = 'WARNING: this is a test set. Do not measure the policy on the queries that trained it.'
  for (const line of framed(warning)) say(terminal, line)
}

const isMissingSplit = (error: unknown): boolean =>
  isQuerentError(error, 'bad-config') || isQuerentError(error, 'missing-file')
