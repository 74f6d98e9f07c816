/** Settings of `querent doctor`. */
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    target: setting(clusterUrl, '<url>', 'the cluster'),
    name: setting(text, '<name>', 'the index that is searched; several, or a pattern, as in a search'),
    queries: setting(
      text,
      '<file>',
      'your searches, at most 1,000: on each line the JSON body that your application sends, or words',
    ),
    ca: setting(text, '<file>', "the certificate (PEM) of the authority that signed the cluster's"),
    ...shared.json,
  },
}

export type DoctorSettings = ValuesOf<typeof groups>

export const doctorSettings = {
  groups,
  examples: [
    ['querent doctor --target http://127.0.0.1:9200 --name articles', 'reach, version, text fields'],
    [
      'querent doctor --target http://127.0.0.1:9200 --name articles --queries queries.jsonl',
      'and which searches can change',
    ],
  ],
} satisfies CommandSettings
