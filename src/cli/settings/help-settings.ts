/** Settings of `querent help`: it has none of its own. */
import type { CommandSettings, ValuesOf } from './setting.ts'

const groups = {}

export type HelpSettings = ValuesOf<typeof groups>

export const helpSettings = {
  groups,
  examples: [
    ['querent help training', 'the commands of a task, with examples'],
    ['querent help', 'the tasks'],
  ],
} satisfies CommandSettings
