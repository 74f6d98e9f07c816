/** Settings of `querent search`. */
import type { CommandSettings, ValuesOf } from './setting.ts'
import * as shared from './shared-settings.ts'

/** Settings of every command that searches with one policy. */
export const searchGroups = {
  Basic: {
    ...shared.index,
    ...shared.k,
    ...shared.retrievers,
    ...shared.model,
    ...shared.history,
    ...shared.json,
  },
  Deciding: {
    ...shared.policy,
    ...shared.rerank,
    ...shared.confidence,
    ...shared.filterFields,
    ...shared.subQueries,
  },
  'Language model': { ...shared.chat, ...shared.fallback, ...shared.sampling, ...shared.answering },
  Fusion: { ...shared.fusion, ...shared.norm, ...shared.depth },
  Limits: shared.limits,
}

export type SearchSettings = ValuesOf<typeof searchGroups>

export const searchSettings = {
  groups: searchGroups,
  isQuery: true,
  examples: [
    ['querent search "who wrote the letters" --index my-index', 'the ten best documents'],
    ['querent search "who wrote them" --index my-index --history turns.json', 'after a conversation'],
    ['querent search - --index my-index < question.txt', 'a query from standard input, of any length'],
  ],
} satisfies CommandSettings
