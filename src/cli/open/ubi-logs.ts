/** The logs of User Behavior Insights on a cluster. */
import type { Cluster, EngineKind } from '../../../adapters/search/cluster/cluster.ts'
import { scrolledHits } from '../../../adapters/search/cluster/scroll.ts'
import { QuerentError } from '../../errors.ts'
import { ubiEventOf, ubiQueryOf } from '../../training/data/read-ubi.ts'
import type { UbiLogs } from '../../training/data/ubi.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { withEngine } from './connect-engine.ts'
import { statusOf } from './engine-error.ts'

/** The most records of an index. More do not make better judgments and fill the memory. */
const maxRecords = 1_000_000

/**
 * Opens both logs, newest records first, for as long as `use` runs. Records that do not match the schema are left out.
 *
 * @throws QuerentError `bad-config` if an index does not exist; as `withEngine`
 */
export async function withUbiLogs<Result>(
  settings: SettingsOf<'clicks'> & { readonly engine: EngineKind; readonly url: string },
  terminal: Terminal,
  use: (logs: UbiLogs) => Promise<Result>,
): Promise<Result> {
  const { engine: kind, url, queriesIndex = 'ubi_queries', eventsIndex = 'ubi_events' } = settings
  const { actions = ['click'], since } = settings
  const times = since === undefined ? [] : [{ range: { timestamp: { gte: since, format: 'epoch_millis' } } }]
  const ofActions = [{ terms: { action_name: [...actions, 'impression'] } }, ...times]
  return withEngine(kind, url, terminal, (engine) =>
    use({
      queries: records(engine, queriesIndex, times, ubiQueryOf, terminal),
      events: records(engine, eventsIndex, ofActions, ubiEventOf, terminal),
    }),
  )
}

async function* records<Record>(
  engine: Cluster,
  index: string,
  filter: readonly object[],
  read: (hit: unknown) => Record | undefined,
  terminal: Terminal,
): AsyncGenerator<Record> {
  const body = {
    query: { bool: { filter } },
    sort: [{ timestamp: { order: 'desc', unmapped_type: 'date' } }],
    // The body of each search is by far the largest part.
    _source: { excludes: ['query'] },
  }
  let left = maxRecords
  try {
    const path = `/${encodeURIComponent(index)}/_search`
    for await (const hits of scrolledHits(engine, path, body, { signal: terminal.signal })) {
      for (const hit of hits.slice(0, left)) {
        const record = read(hit)
        if (record !== undefined) yield record
      }
      left -= hits.length
      if (left > 0) continue
      say(terminal, `Only the newest ${maxRecords.toLocaleString('en')} records of ${index} were read.`)
      return
    }
  } catch (error) {
    if (statusOf(error) !== 404) throw error
    throw new QuerentError('bad-config', `There is no index ${index}`, {
      remedy: 'Name the indices of your logs: --set queriesIndex, --set eventsIndex.',
      cause: error,
    })
  }
}
