/** Settings of `querent triples`. */
import { corpus } from './corpus-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, duration, text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    out: setting(text, '<file>', 'write this file, or go on with it if it exists'),
    limit: setting(count, '<count>', 'only the first so many documents'),
    concurrency: setting(count, '<count>', 'documents at a time (default 4)'),
    ...shared.json,
  },
  Documents: corpus,
  'Language model': {
    ...shared.chat,
    ...shared.sampling,
    chatTimeout: setting(duration, '<duration>', 'longest time for a document (default 1m)'),
  },
}

export type TriplesSettings = ValuesOf<typeof groups>

export const triplesSettings = {
  groups,
  examples: [
    [
      'querent triples my-collection --out facts.jsonl --chat-url http://localhost:8000/v1',
      'a BEIR folder, or a corpus: each line is {"_id": "1", "title": "…", "text": "…"}',
    ],
    [
      'querent search "who wrote the letters" --index my-index --policy sparkle --triples facts.jsonl',
      'search with them',
    ],
  ],
} satisfies CommandSettings
