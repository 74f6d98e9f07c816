/** Settings of `querent evaluate`. */
import { searchGroups } from './search-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const { history: _, json, ...basic } = searchGroups.Basic
const groups = {
  ...searchGroups,
  Basic: { ...basic, ...shared.evaluatedHits, json },
  Judgments: shared.judged,
  Measuring: {
    ...shared.measuring,
    ...shared.tables,
    runIn: setting(text, '<file>', 'judge this TREC run, and search nothing'),
    run: setting(text, '<file>', 'write the hits as a TREC run'),
    traces: setting(text, '<file>', 'write the trace of each search, one JSON object per line'),
  },
  'Judging answers': shared.judging,
}

export type EvaluateSettings = ValuesOf<typeof groups>

export const evaluateSettings = {
  groups,
  examples: [
    ['querent evaluate scifact --index my-index', 'the local policy decides, as in `search`'],
    ['querent evaluate scifact --index my-index --policy none', 'the original queries'],
    [
      'querent evaluate scifact --index my-index --policy acqo --metrics recall@5',
      'a language model rewrites',
    ],
    ['querent evaluate scifact --index my-index --run out.trec --json', 'for a program'],
    ['querent evaluate scifact --run-in fused.trec --format latex', 'judges a run of any program'],
  ],
} satisfies CommandSettings
