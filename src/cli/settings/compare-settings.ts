/** Settings of `querent compare`. */
import { searchGroups } from './search-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { names, text } from './setting-kinds.ts'
import { defaultFusion, defaultPolicy } from './setting-names.ts'
import * as shared from './shared-settings.ts'

const groups = {
  'Systems: every combination of these': {
    policies: setting(names, '<policies>', `see --policy of search (default ${defaultPolicy})`),
    reranks: setting(names, '<policies>', 'see --rerank of search (default own)'),
    fusions: setting(names, '<methods>', `see --fusion of search (default ${defaultFusion})`),
    ...shared.retrieverSets,
  },
  Basic: {
    ...shared.index,
    ...shared.evaluatedHits,
    ...shared.model,
    report: setting(text, '<file>', 'write the comparison as an HTML page'),
    ...shared.json,
  },
  Judgments: shared.judged,
  Measuring: { ...shared.measuring, ...shared.tables },
  'Judging answers': shared.judging,
  Deciding: { ...shared.outside, ...shared.subQueries },
  'Language model': { ...shared.chat, ...shared.sampling, ...shared.answering },
  Fusion: { ...shared.norm, ...shared.depth },
  Limits: searchGroups.Limits,
}

export type CompareSettings = ValuesOf<typeof groups>

export const compareSettings = {
  groups,
  examples: [
    ['querent compare scifact --index my-index --policies none,acqo', 'does rewriting help?'],
    [
      'querent compare scifact --index my-index --retrievers bm25 --retrievers bm25,dense --report out.html',
      'what vectors add, as an HTML page',
    ],
    [
      'querent compare scifact --index my-index --policies none,acqo --fusions rank-score,rrf --json',
      'every policy with every fusion; the first combination is the baseline',
    ],
  ],
} satisfies CommandSettings
