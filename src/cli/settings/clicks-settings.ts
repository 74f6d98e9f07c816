/** Settings of `querent clicks`. */
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { engineKind } from './engine-definition.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { moment, names, text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    out: setting(text, '<dir>', 'write queries and judgments into this folder, in the layout of BEIR'),
    everyClick: shared.flag(
      'without dwell times, count every click as satisfied, not only the lowest: for questions that need several documents',
    ),
    seed: shared.seed,
    ...shared.json,
  },
  'User Behavior Insights': {
    events: setting(text, '<file>', 'events (ubi_events) as JSON lines; <log> has the queries (ubi_queries)'),
    engine: setting(engineKind, '<kind>', 'read both from a cluster: elasticsearch or opensearch'),
    url: setting(
      clusterUrl,
      '<url>',
      'a node; credentials in the URL, in QUERENT_ENGINE_API_KEY, or in QUERENT_ENGINE_USERNAME and _PASSWORD',
    ),
    queriesIndex: setting(text, '<index>', 'the index of the queries (default ubi_queries)'),
    eventsIndex: setting(text, '<index>', 'the index of the events (default ubi_events)'),
    actions: setting(names, '<names>', 'action_names that count as clicks (default click)'),
    application: setting(text, '<name>', 'only what this application logged'),
    since: setting(moment, '<date>', 'only what was logged since then: 2026-01-31, also with a time'),
  },
}

export type ClicksSettings = ValuesOf<typeof groups>

export const clicksSettings = {
  groups,
  examples: [
    [
      'querent clicks clicks.jsonl --out judged',
      'each line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}',
    ],
    [
      'querent clicks --engine opensearch --url http://localhost:9200 --out judged',
      'User Behavior Insights of a cluster',
    ],
    ['querent train judged --index my-index --out policy.json', 'train on four fifths of the queries'],
  ],
} satisfies CommandSettings
