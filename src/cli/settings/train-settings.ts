/** What can be typed after `querent train`. */
import { z } from 'zod'
import { defaultChoice } from '../../../policies/local/training/defaults.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, number, paths, text } from './setting-kinds.ts'
import { defaultPolicy } from './setting-names.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    index: setting(paths, '<dir>', 'the index of each folder, in their order', { isRepeated: true }),
    out: setting(text, '<file>', 'the policy that is written, a name ending in .json'),
    ...shared.retrieverSets,
    ...shared.model,
    report: setting(text, '<file>', 'judge a second training on a fifth of the queries, as an HTML page'),
    ...shared.json,
  },
  'Queries and judgments': {
    split: setting(text, '<name>', 'which judgments (default train, or test if there is no train)'),
    ...shared.files,
    traces: setting(text, '<file>', 'the queries of traces, with --qrels'),
  },
  Training: {
    seed: shared.seed,
    epochs: setting(
      count,
      '<count>',
      `how often the decision goes through the queries (default ${defaultChoice.curriculum.stageTwoEpochs})`,
    ),
    cost: setting(
      number.pipe(z.number().min(0, 'must be 0 or more')),
      '<number>',
      'the price of a sub-query: a higher one leaves more queries unchanged (default 0)',
    ),
    depth: setting(count, '<count>', 'how many hits of each list are fused (default 100)'),
    // In a file that search shares it is the name of a policy, which says nothing here.
    rerank: {
      schema: z.union([z.boolean(), z.string()]).transform((value) => value !== false),
      argument: '',
      negation: 'train the decision alone',
    },
    decision: setting(
      text,
      '<policy>',
      `keep this policy's decision and train re-ranking alone: a policy file, ${defaultPolicy} or none`,
    ),
  },
  Stopping: {
    checkpoint: setting(text, '<file>', 'where a stopped training is kept (default: --out with .checkpoint)'),
    resume: shared.flag('continue from the checkpoint'),
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
      'queries of production that were judged later',
    ],
    ['querent train my-collection --index my-index --out policy.json --resume', 'after Ctrl-C'],
  ],
} satisfies CommandSettings
