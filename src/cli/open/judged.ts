/** Judged queries, for the commands that score and for those that train. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { judgedQueries } from '../../../policies/local/training/check-training-data.ts'
import { isQuerentError } from '../../errors.ts'
import { type BeirCollection, readBeir } from '../../evaluation/beir-folder.ts'
import { clickMetrics } from '../../evaluation/default-metrics.ts'
import { withoutQuery } from '../../evaluation/evaluate.ts'
import { decodeId } from '../../evaluation/ids.ts'
import { readLines } from '../../evaluation/lines.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { count, framed } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given } from '../settings/setting.ts'

type JudgedSettings = Pick<SettingsOf<'train'>, 'split' | 'queries' | 'qrels'>
type Judged = Pick<BeirCollection, 'queries' | 'qrels'>

/** Reads a split. @throws as `readBeir` */
export async function readSplit(
  folder: string,
  { split, queries, qrels }: JudgedSettings,
  terminal: Terminal,
): Promise<BeirCollection> {
  const { signal } = terminal
  const collection = await readBeir(folder, { signal, ...given({ split, queries, qrels }) })
  await sayModels(collection.files.qrels, terminal)
  return collection
}

/** The judge of labels by a language model, as judgments in TREC's columns name it: with its agreement with people. */
export const modelJudge = (model: string, alpha: number | undefined): string =>
  `model:${model},alpha=${alpha?.toFixed(2) ?? 'unknown'}`

/** Says how many judgments are not of people. */
export async function sayModels(qrels: string, terminal: Terminal): Promise<void> {
  const counts = new Map<string, number>()
  for await (const { text } of readLines(qrels, { signal: terminal.signal })) {
    const [, model] = /^\S+\s+model:(\S+)\s/.exec(text) ?? []
    if (model !== undefined) counts.set(model, (counts.get(model) ?? 0) + 1)
  }
  for (const [model, made] of counts)
    say(terminal, `${count(made, 'judgment')} in ${qrels} of a language model: ${decodeId(model)}`)
}

/** Reads a split to score with, names its files, and says what they lack. */
export async function readJudged(
  folder: string,
  settings: JudgedSettings,
  terminal: Terminal,
): Promise<BeirCollection> {
  const collection = await readSplit(folder, settings, terminal)
  const { split, queries, qrels } = collection.files
  say(terminal, `Split ${split}: queries from ${queries}, judgments from ${qrels}`)
  sayWithoutQuery(collection, queries, terminal)
  return collection
}

/** The file beside judgments that were made from clicks. */
export const clicksFile = 'clicks.json'

/** The metrics that fit judgments made from clicks; `undefined` for others, which the usual ones fit. */
export function metricsOfClicks(
  { qrels }: BeirCollection['files'],
  terminal: Terminal,
): readonly string[] | undefined {
  if (!existsSync(join(dirname(qrels), clicksFile))) return undefined
  say(terminal, 'Made from clicks: hits that nobody was shown are left out, unless --metrics says otherwise.')
  return clickMetrics
}

/** Names judged queries that are left out, because the file of queries has no line for them. */
export function sayWithoutQuery({ queries, qrels }: Judged, file: string, terminal: Terminal): void {
  const qids = withoutQuery(queries, qrels)
  if (qids.length === 0) return
  const first = qids.length > 5 ? [...qids.slice(0, 5), '…'] : qids
  say(terminal, `Left out ${qids.length} of ${qrels.size} judged queries: ${file} lacks ${first.join(', ')}`)
}

/**
 * Tells the user how many relevant documents the index lacks: their queries cannot reach the full score.
 *
 * @throws QuerentError `unusable-judgments`, as `train` does, if no query has a relevant document or none of them is in the index:
 *   every figure would be 0. `aborted`
 */
export async function checkJudged(
  folder: string,
  { queries, qrels }: Judged,
  { documents }: OpenedIndex,
  terminal: Terminal,
): Promise<void> {
  const name = basename(resolve(folder))
  const { golds, missing } = await judgedQueries(name, queries, qrels, documents, terminal.signal)
  sayMissing(missing, golds, terminal)
}

/** Says how many relevant documents no search can find. */
export function sayMissing(missing: number, golds: number, terminal: Terminal): void {
  if (missing === 0) return
  const what = `${missing} of ${golds} relevant documents are not in the index`
  say(terminal, `${what}, so no search can find them.`)
}

/**
 * The queries and judgments to train on: those of `--split`, else of `train`, else of `test`. Names the files, with a warning if
 * they are a test set.
 *
 * @throws what `readBeir` throws, for `train` if neither split exists
 */
export async function readTrainingSplit(
  folder: string,
  settings: JudgedSettings,
  terminal: Terminal,
): Promise<BeirCollection> {
  const { split, queries, qrels } = settings
  const isMissing = (error: unknown): boolean =>
    isQuerentError(error, 'bad-config') || isQuerentError(error, 'missing-file')
  const read = (name: string): Promise<BeirCollection> =>
    readSplit(folder, { split: name, queries, qrels }, terminal)
  const collection = await read(split ?? 'train').catch((error: unknown) => {
    if (split !== undefined || !isMissing(error)) throw error
    return read('test').catch((other: unknown) => {
      throw isMissing(other) ? error : other
    })
  })
  const { files } = collection
  const which = queries === undefined || qrels === undefined ? `Split ${files.split}: queries` : 'Queries'
  say(terminal, `${which} from ${files.queries}, judgments from ${files.qrels}`)
  sayWithoutQuery(collection, files.queries, terminal)
  warnOfTest([split ?? '', basename(resolve(folder)), files.queries, files.qrels], terminal)
  return collection
}

/** Matches names of test sets, but neither `latest` nor `contest`. */
const test = /(?<![a-z])test(?![a-z])/i

/** Warns if a file or its folder is named as a test set. */
export function warnOfTest(paths: readonly string[], terminal: Terminal): void {
  const names = paths.flatMap((path) => path.split(/[/\\]/).slice(-2))
  if (!names.some((name) => test.test(name))) return
  const warning = 'WARNING: this is a test set. Do not measure the policy on the queries that trained it.'
  for (const line of framed(warning)) say(terminal, line)
}
