import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { fitsBeir, writeBeirQrels, writeQueries } from '../../evaluation/beir.ts'
import { writeLines } from '../../evaluation/lines.ts'
import { type ClickedSearch, type ClickJudgments, judgmentsOfClicks } from '../../training/data/clicks.ts'
import { holdOut } from '../../training/data/hold-out.ts'
import { readLinesOfClicks } from '../../training/data/read-clicks.ts'
import { readUbiEvents, readUbiQueries } from '../../training/data/read-ubi.ts'
import { searchesOfUbi, type UbiLogs } from '../../training/data/ubi.ts'
import { clicksFile } from '../open/judged.ts'
import { withUbiLogs } from '../open/ubi-logs.ts'
import { say, type Terminal, tell } from '../output/terminal.ts'
import { count } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'

type Settings = SettingsOf<'clicks'>

/** Searches with clicks: of a click log, or of the logs of User Behavior Insights, in files or on a cluster. */
interface ClickLog {
  /** For messages. */
  readonly name: string
  readonly searches: readonly ClickedSearch[]
  /** Further searches, without a click, which say nothing. */
  readonly unclicked: number
  /** What to do if no click counts. */
  readonly remedy: string
  /** The file that has an identifier, with the line if it is known. For messages. */
  readonly placeOf: (id: string) => string
}

/** `querent clicks <log> --out <folder>`, `querent clicks --engine <kind> --url <url> --out <folder>` */
export const run: Run<Settings> = async ([log], settings, terminal) => {
  const out = required(settings, 'out')
  const [queries, qrels] = [join(out, 'queries.jsonl'), join(out, 'qrels')]
  const taken = [queries, `${queries}.gz`, qrels].find(existsSync)
  if (taken !== undefined)
    throw new QuerentError('write-failed', `${taken} exists`, { remedy: 'Choose another folder.' })
  const { name, searches, unclicked, remedy, placeOf } = await readClickLog(log, settings, terminal)
  const judged = judgmentsOfClicks(searches, { everyClick: settings.everyClick })
  if (judged.queries.length === 0)
    throw new QuerentError('unusable-judgments', `No click in ${name} counts as satisfied`, {
      remedy: `${remedy} A document must satisfy at least half of the searches that examined it.`,
    })
  checkIdentifiers(judged, placeOf)
  say(terminal, judgedBy(judged))
  const { train, heldOut: test } = holdOut(judged.queries, judged.qrels, settings.seed ?? 1)
  await writeCollection(out, judged, { train, test }, terminal)
  if (test.length === 0)
    say(terminal, 'All queries are connected by shared documents, so no query can be held out for testing.')
  const counts = {
    searches: searches.length + unclicked,
    unclicked: judged.unclicked + unclicked,
    queries: judged.queries.length,
    train: train.length,
    test: test.length,
  }
  const of = `${count(counts.searches, 'search', 'searches')} (${counts.unclicked} without a click)`
  tell(terminal, settings, { out, ...counts }, [
    `${out}: ${count(counts.queries, 'judged query', 'judged queries')} from ${of}, ` +
      `${counts.train} for training and ${counts.test} for testing`,
  ])
}

/** How the judgments were made, and what they are not fit for. */
const judgedBy = ({ examination }: ClickJudgments): string =>
  examination === undefined
    ? 'Judged by the lowest click of each search: any other order than the one that was shown looks better. To compare systems, log searches without a click, too: 100 or more, of queries that come back.'
    : `Searches without a click count, too. How often users look at each rank, from the first: ${examination.map((one) => one.toFixed(2)).join(' ')}`

/** @throws QuerentError `write-failed`. Then nothing is left of it: the next run would take one half for a folder in use */
async function writeCollection(
  out: string,
  { queries, qrels }: ClickJudgments,
  splits: Readonly<Record<'train' | 'test', ClickJudgments['queries']>>,
  { signal }: Terminal,
): Promise<void> {
  const [file, folder] = [join(out, 'queries.jsonl'), join(out, 'qrels')]
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new QuerentError('write-failed', `The folder ${out} cannot be made`, {
      remedy: 'Choose a folder where you may write, and which is not a file.',
      cause,
    })
  })
  try {
    await writeQueries(file, queries, { signal })
    for (const [name, part] of Object.entries(splits)) {
      const judgments = new Map(part.map(({ qid }) => [qid, qrels.get(qid)!]))
      if (part.length > 0) await writeBeirQrels(join(folder, `${name}.tsv`), judgments, { signal })
    }
    // Says where they are from to what measures by them.
    await writeLines(join(folder, clicksFile), [JSON.stringify({ queries: queries.length })], { signal })
  } catch (error) {
    for (const written of [file, folder]) await rm(written, { recursive: true, force: true })
    throw error
  }
}

/** @throws QuerentError `bad-file` with the place of an identifier that cannot be written */
function checkIdentifiers({ qrels }: ClickJudgments, placeOf: ClickLog['placeOf']): void {
  const ids = Array.from(qrels, ([qid, grades]) => [qid, ...grades.keys()]).flat()
  const unfit = ids.find((id) => !fitsBeir(id))
  if (unfit === undefined) return
  throw new QuerentError(
    'bad-file',
    `${placeOf(unfit)}: the identifier ${JSON.stringify(unfit)} cannot be written as a judgment`,
    { remedy: 'Leave that search out, or use identifiers without tabs and line breaks.' },
  )
}

/** @throws QuerentError `bad-config` if no log is named, or several; as the readers do */
async function readClickLog(
  log: string | undefined,
  settings: Settings,
  terminal: Terminal,
): Promise<ClickLog> {
  const { signal } = terminal
  const { engine, events } = settings
  refuse(
    (log ?? engine) === undefined || (engine !== undefined && (log ?? events) !== undefined),
    'The clicks must come from one place',
    'Name a click log; or a file of queries, and --events; or --engine and --url of a cluster.',
  )
  if (engine !== undefined) {
    const url = required(settings, 'url')
    const name = `User Behavior Insights at ${new URL(url).host}`
    return withUbiLogs({ ...settings, engine, url }, terminal, (logs) =>
      ubiLog(name, logs, settings, terminal),
    )
  }
  if (events !== undefined) {
    const logs = { queries: readUbiQueries(log!, { signal }), events: readUbiEvents(events, { signal }) }
    return ubiLog(log!, logs, settings, terminal)
  }
  const logged: { readonly record: ClickedSearch; readonly line: number }[] = []
  for await (const one of readLinesOfClicks(log!, { signal })) logged.push(one)
  return {
    name: log!,
    searches: logged.map(({ record }) => record),
    unclicked: 0,
    placeOf(id) {
      const found = logged.find(({ record }) => record.query.qid === id || record.shown.includes(id))
      return found === undefined ? log! : `${log}:${found.line}`
    },
    remedy: 'Each of `clicks` must be a docid of `shown`. If `seconds` are given, some must be 30 or more.',
  }
}

async function ubiLog(
  name: string,
  logs: UbiLogs,
  settings: Settings,
  terminal: Terminal,
): Promise<ClickLog> {
  const { searches, unclicked, incomplete, unknown } = await searchesOfUbi(logs, settings)
  if (incomplete > 0)
    say(terminal, `Left out ${count(incomplete, 'search', 'searches')} whose words or hits were not logged.`)
  if (unknown > 0) say(terminal, `Left out clicks of ${count(unknown, 'query id')} without a logged query.`)
  return {
    ...{ name, searches, unclicked, placeOf: () => name },
    remedy: 'Check --set actions, and that `object_id` of the events names hits of the logged queries.',
  }
}
