/** Settings of `querent serve`. */
import { searchGroups } from './search-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

export const defaultPort = 8178

const { history: _, json: __, ...basic } = searchGroups.Basic
const groups = {
  ...searchGroups,
  Basic: {
    ...basic,
    sample: shared.flag('serve the sample that comes with Querent, to look around'),
    ...shared.server(defaultPort),
    cors: shared.cors,
    ...shared.pageToken('the page at /'),
    workers: setting(count, '<count>', 'processes that search, each with the index in memory (default 1)'),
    metrics: shared.flag('answer GET /metrics, for Prometheus'),
    ...shared.logs,
    accessLog: shared.flag('print one line of JSON per request'),
  },
}

export type ServeSettings = ValuesOf<typeof groups>

export const serveSettings = {
  groups,
  examples: [
    ['querent serve --sample', 'a look around, without an index: open the address that it prints'],
    [
      'querent serve --index my-index',
      `then: curl "http://127.0.0.1:${defaultPort}/search?q=who+wrote+the+letters"`,
    ],
    ['querent serve --index my-index --host 0.0.0.0 --port 9000', 'for other machines'],
  ],
} satisfies CommandSettings
