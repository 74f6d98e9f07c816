/** Settings of `querent fuse`. */
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, text, weights } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: { out: setting(text, '<file>', 'write the fused run into this file'), ...shared.json },
  Fusion: {
    ...shared.fusion,
    ...shared.norm,
    weights: setting(weights, '<numbers>', 'one weight per run, separated by commas'),
    depth: setting(count, '<count>', 'how many hits of each list are fused (default: all)'),
  },
}

export type FuseSettings = ValuesOf<typeof groups>

export const fuseSettings = {
  groups,
  examples: [
    ['querent fuse bm25.trec dense.trec --fusion rank-score --out fused.trec', 'all hits of both'],
    ['querent fuse a.trec b.trec.gz --fusion weighted-sum --weights 2,1 --out fused.trec', 'weighted'],
  ],
} satisfies CommandSettings
