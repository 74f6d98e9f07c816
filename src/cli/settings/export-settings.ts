/** Settings of `querent export`. */
import { exportNames } from '../../training/export/formats.ts'
import { rolloutExports } from '../../training/export/rollout-rows.ts'
import { workbenchExports } from '../../training/export/workbench.ts'
import { rewardGroup } from './reward-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, fraction, names, number, text, within } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    to: setting(
      text,
      '<format>',
      `${exportNames.join(', ')}; for OpenSearch's workbench: ${workbenchExports.join(', ')}; of rollouts: ${rolloutExports.join(', ')}`,
    ),
    out: setting(text, '<file>', 'write this file, with an ending that the trainer reads'),
    ...shared.index,
    golds: {
      ...shared.flag('write the relevant documents (default)'),
      negation: 'leave them out: reward-server reads them from --qrels',
    },
    template: setting(text, '<file>', 'use this prompt, which contains {question} and {context}'),
    ...shared.json,
  },
  'Queries and judgments': {
    split: setting(
      text,
      '<name>',
      'which judgments (default train, or test without train; for the workbench test)',
    ),
    ...shared.files,
  },
  'Recorded answers, for --to sft and the filters': {
    traces: setting(text, '<file>', 'traces of `querent evaluate` with --policy acqo'),
    tauMax: setting(
      fraction,
      '<number>',
      'only queries whose tau, the mean reward of their recorded answers in stage 1, is at most this: ACQO has 5/3',
    ),
    tauMin: setting(fraction, '<number>', 'only queries whose tau is at least this (default: no bound)'),
    keepHardest: setting(
      within(0.01, 1),
      '<share>',
      'only this share of the queries, those with the lowest tau: ACQO keeps 0.5 of HotpotQA (default 1)',
    ),
    threshold: setting(
      number,
      '<number>',
      'keep answers with this reward or more (default: those that beat the original query; of rollouts 1)',
    ),
    ...shared.retrievers,
    ...shared.model,
    ...rewardGroup,
  },
  'Rollouts in place of a folder': {
    rollouts: setting(text, '<file>', 'a file of `querent rollouts`'),
    agents: setting(names, '<names>', 'only the completions of these prompts, such as c3po/filter'),
    maxPaths: setting(count, '<count>', 'sft: most paths of a query to imitate (default 4)'),
    forced: shared.flag('sft: imitate completions that were given rather than sampled, too'),
    balanced: setting(
      names,
      '<names>',
      'steps: at most as many rows of these prompts as of all others, such as sparkle/decide',
    ),
    margin: setting(number, '<number>', 'preferences: how much more the better one is worth (default 0.5)'),
  },
}

export type ExportSettings = ValuesOf<typeof groups>

export const exportSettings = {
  groups,
  examples: [
    [
      'querent export scifact --to verl --out train.json --index my-index',
      'queries that the index can answer',
    ],
    ['querent export scifact --to trl --out eval.json --split test', 'another split'],
    ['querent export scifact --to slime --out train.jsonl --template prompt.txt', 'your own prompt'],
    [
      'querent export scifact --to verl --out train.json --no-golds',
      'the reward server has the judgments: --qrels',
    ],
    [
      'querent export scifact --to sft --out sft.json --index my-index --traces traces.jsonl',
      'the best recorded answers',
    ],
    [
      'querent export scifact --to verl --out hard.json --index my-index --traces traces.jsonl --tau-max 5/3',
      'without the queries that the recorded model has mastered',
    ],
    [
      'querent export my-collection --to judgments --out judgments.json',
      'for the Search Relevance Workbench',
    ],
    [
      'querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl',
      'each completion of an agent, with its advantage',
    ],
  ],
} satisfies CommandSettings
