/** Reads searches with clicks: from a click log, or from the logs of User Behavior Insights, in files or on a cluster. */
import { QuerentError } from '../../errors.ts'
import type { ClickedSearch } from '../../training/data/clicks.ts'
import { readLinesOfClicks } from '../../training/data/read-clicks.ts'
import { readUbiEvents, readUbiQueries } from '../../training/data/read-ubi.ts'
import { searchesOfUbi, type UbiLogs } from '../../training/data/ubi.ts'
import { count } from '../output/count.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { readUbiLogs } from './ubi-logs.ts'

export interface ClickLog {
  /** For messages. */
  readonly name: string
  readonly searches: readonly ClickedSearch[]
  /** Further searches, without a click. */
  readonly unclicked: number
  /** What to do if no click counts. */
  readonly remedy: string
  /** The file that has an identifier, with the line if it is known. For messages. */
  readonly placeOf: (id: string) => string
}

/**
 * @throws QuerentError `bad-config` if no log is named, or several; as `readClicks`, `readUbiQueries` and `readUbiLogs`
 */
export async function readClickLog(
  log: string | undefined,
  settings: SettingsOf<'clicks'>,
  terminal: Terminal,
): Promise<ClickLog> {
  const { signal } = terminal
  const { engine, events } = settings
  const isNone = log === undefined && engine === undefined
  if (isNone || (engine !== undefined && (log ?? events) !== undefined))
    throw new QuerentError('bad-config', 'The clicks must come from one place', {
      remedy: 'Name a click log; or a file of queries, and --events; or --engine and --url of a cluster.',
    })
  if (engine !== undefined) {
    const url = required(settings, 'url')
    return readUbiLogs({ ...settings, engine, url }, terminal, (logs) =>
      ubiLog(`User Behavior Insights at ${new URL(url).host}`, logs, settings, terminal),
    )
  }
  if (events !== undefined) {
    const logs = { queries: readUbiQueries(log!, { signal }), events: readUbiEvents(events, { signal }) }
    return ubiLog(log!, logs, settings, terminal)
  }
  const logged: { readonly search: ClickedSearch; readonly line: number }[] = []
  for await (const one of readLinesOfClicks(log!, { signal })) logged.push(one)
  return {
    name: log!,
    searches: logged.map(({ search }) => search),
    unclicked: 0,
    placeOf(id) {
      const found = logged.find(({ search }) => search.query.qid === id || search.shown.includes(id))
      return found === undefined ? log! : `${log}:${found.line}`
    },
    remedy: 'Each of `clicks` must be a docid of `shown`. If `seconds` are given, some must be 30 or more.',
  }
}

async function ubiLog(
  name: string,
  logs: UbiLogs,
  settings: SettingsOf<'clicks'>,
  terminal: Terminal,
): Promise<ClickLog> {
  const { searches, unclicked, incomplete, unknown } = await searchesOfUbi(logs, settings)
  if (incomplete > 0)
    say(terminal, `Left out ${count(incomplete, 'search', 'searches')} whose words or hits were not logged.`)
  if (unknown > 0) say(terminal, `Left out clicks of ${count(unknown, 'query id')} without a logged query.`)
  return {
    name,
    searches,
    unclicked,
    placeOf: () => name,
    remedy: 'Check --set actions, and that `object_id` of the events names hits of the logged queries.',
  }
}
