/** Settings of `querent explain`. */
import { searchGroups } from './search-settings.ts'
import type { CommandSettings, ValuesOf } from './setting.ts'
import { flag } from './shared-settings.ts'

const groups = {
  ...searchGroups,
  Basic: {
    ...searchGroups.Basic,
    verbose: flag("add the policy's alternatives, and the lists, scores and features of each hit"),
  },
}

export type ExplainSettings = ValuesOf<typeof groups>

export const explainSettings = {
  groups,
  isQuery: true,
  examples: [
    [
      'querent explain "who wrote the letters" --index my-index',
      'the decision, what it changed, and the source of each hit',
    ],
    ['querent explain "…" --index my-index -k 3 --verbose', 'all details'],
    ['querent explain "…" --index my-index -k 3 --json', 'the same for a program'],
  ],
} satisfies CommandSettings
