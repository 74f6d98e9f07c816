/** Settings of `querent clicks`. */
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { text } from './setting-kinds.ts'
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
}

export type ClicksSettings = ValuesOf<typeof groups>

export const clicksSettings = {
  groups,
  examples: [
    [
      'querent clicks clicks.jsonl --out judged',
      'each line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}',
    ],
    ['querent train judged --index my-index --out policy.json', 'train on four fifths of the queries'],
  ],
} satisfies CommandSettings
