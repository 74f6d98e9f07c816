/** Settings of `querent train`. */
import { z } from 'zod'
import { defaultChoice } from '../../../policies/local/training/defaults.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, fraction, number, paths, text, within } from './setting-kinds.ts'
import { defaultPolicy } from './setting-names.ts'
import * as shared from './shared-settings.ts'

/** A file has the name that `--out` of a training must have. */
const keptDecision = text.refine(
  (name) => [defaultPolicy, 'none'].includes(name) || /[/\\]|\.json$/.test(name),
  `must be ${defaultPolicy}, none or the file of a policy (a name with / or .json)`,
)

const groups = {
  Basic: {
    index: setting(paths, '<dir>', 'the index of each folder, in the same order', { isRepeated: true }),
    out: setting(text, '<file>', 'write the policy into this file, a name ending in .json'),
    ...shared.retrieverSets,
    ...shared.model,
    report: setting(text, '<file>', 'measure a second training on a fifth of the queries, as an HTML page'),
    ...shared.json,
  },
  'Queries and judgments': {
    split: setting(text, '<name>', 'which judgments (default train, or test without train)'),
    ...shared.files,
    traces: setting(text, '<file>', 'read the queries from traces; needs --qrels'),
  },
  Training: {
    seed: shared.seed,
    epochs: setting(
      count,
      '<count>',
      `how often the decision sees each query (default ${defaultChoice.curriculum.stageTwoEpochs})`,
    ),
    cost: setting(
      number.pipe(z.number().min(0, 'must be 0 or more')),
      '<number>',
      'the cost of a sub-query; a higher cost leaves more queries unchanged (default 0)',
    ),
    tauMax: setting(
      fraction,
      '<number>',
      "Stage II trains only on queries whose tau is at most this: the paper's filter, with 5/3 (default: all queries)",
    ),
    keepHardest: setting(
      within(0.01, 1),
      '<share>',
      'the share of queries to train on, hardest first: the paper keeps 0.5 for HotpotQA (default 1)',
    ),
    depth: setting(count, '<count>', 'hits of each list to fuse (default 100)'),
    // In a file that `search` shares, `rerank` is the name of a policy and means nothing here.
    rerank: {
      schema: z.union([z.boolean(), z.string()]).transform((value) => value !== false),
      argument: '',
      negation: 'train the decision alone',
    },
    decision: setting(
      keptDecision,
      '<policy>',
      `keep this policy's decision and train re-ranking alone: a policy file, ${defaultPolicy} or none`,
    ),
  },
}

export type TrainSettings = ValuesOf<typeof groups>

export const trainSettings = {
  groups,
  examples: [
    [
      'querent train my-collection --index my-index --out policy.json',
      'then search with --policy policy.json',
    ],
    [
      'querent train hotpotqa scifact --index hotpot-index --index scifact-index --out policy.json',
      'two collections: one index each, in their order',
    ],
    [
      'querent train --traces traces.jsonl --qrels qrels.tsv --index my-index --out policy.json',
      'queries from production that were judged later',
    ],
  ],
} satisfies CommandSettings
