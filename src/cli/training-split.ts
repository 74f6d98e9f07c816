import { basename } from 'node:path'
import { isQuerentError } from '../errors.ts'
import { type BeirCollection, readBeir } from '../evaluation/beir-folder.ts'
import type { Settings } from './settings.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * The queries and judgements to train on: of the split asked for, else of `train`, else, said loudly, of what the folder has.
 *
 * @throws what `readBeir` throws
 */
export async function readTrainingSplit(
  folder: string,
  settings: Settings,
  terminal: Terminal,
): Promise<BeirCollection> {
  const { signal } = terminal
  const options = {
    signal,
    ...(settings.queries !== undefined && { queries: settings.queries }),
    ...(settings.qrels !== undefined && { qrels: settings.qrels }),
  }
  const { split = 'train' } = settings
  const collection = await readBeir(folder, { ...options, split }).catch((error: unknown) => {
    if (settings.split !== undefined || !isMissingSplit(error)) throw error
    return readBeir(folder, options)
  })
  const { files } = collection
  say(terminal, `Split ${files.split}: queries of ${files.queries}, judgements of ${files.qrels}`)
  if ([files.queries, files.qrels].some((file) => /test/i.test(basename(file))))
    say(terminal, 'WARNING: that is a test file. What is trained on it cannot be tested on it.')
  return collection
}

const isMissingSplit = (error: unknown): boolean =>
  isQuerentError(error, 'bad-config') || isQuerentError(error, 'missing-file')
