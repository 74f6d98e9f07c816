/** What can be typed after `querent clicks`. */
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    out: setting(text, '<dir>', 'the folder for queries and judgments, in the layout of BEIR'),
    everyClick: shared.flag(
      'where dwell times are unknown, every click satisfied, not only the lowest: for questions that need several documents',
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
      'a line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}',
    ],
    ['querent train judged --index my-index --out policy.json', 'trains on four fifths of its queries'],
  ],
} satisfies CommandSettings
