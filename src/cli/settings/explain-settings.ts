/** What can be typed after `querent explain`. */
import { searchGroups } from './search-settings.ts'
import type { CommandSettings, ValuesOf } from './setting.ts'
import { flag } from './shared-settings.ts'

const groups = {
  ...searchGroups,
  Basic: {
    ...searchGroups.Basic,
    verbose: flag('also what the policy weighed, and of each hit its lists, scores and features'),
  },
}

export type ExplainSettings = ValuesOf<typeof groups>

export const explainSettings = {
  groups,
  isQuery: true,
  examples: [
    [
      'querent explain "who wrote the letters" --index my-index',
      'what was decided, what that changed, and where each hit comes from',
    ],
    ['querent explain "…" --index my-index -k 3 --verbose', 'everything that was weighed'],
    ['querent explain "…" --index my-index -k 3 --json', 'the same for a program'],
  ],
} satisfies CommandSettings
