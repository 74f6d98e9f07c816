/** Settings of `querent rollouts`. */
import { rewardGroup } from './reward-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, duration, serverAddress, text, within } from './setting-kinds.ts'
import { rolloutNames } from './setting-names.ts'
import * as shared from './shared-settings.ts'

/** The models of rollouts beside the chat model. */
export const rolloutModels = {
  agentsUrl: setting(serverAddress, '<url>', 'another server for the prompts that are trained'),
  agentsModel: setting(text, '<name>', 'another model for the prompts that are trained'),
  ...shared.judging,
}

const groups = {
  Basic: {
    policy: setting(text, '<policy>', rolloutNames.join(', ')),
    out: setting(text, '<file>', 'write this file, or go on with it if it exists. It contains documents'),
    ...shared.index,
    ...shared.retrievers,
    ...shared.model,
    ...shared.json,
  },
  'Queries and judgments': {
    split: setting(text, '<name>', 'which judgments (default train, or test without train)'),
    ...shared.files,
    limit: setting(count, '<count>', 'only the first so many queries'),
  },
  Exploring: {
    samples: setting(count, '<count>', 'completions of the first prompt, for acqo, mmoa and mao (default 8)'),
    temperature: setting(within(0, 2), '<number>', 'of the prompts that are trained (default 0.8)'),
    template: setting(text, '<file>', 'acqo: your own prompt, which contains {question} and {context}'),
    maxRounds: setting(count, '<count>', 'most searches of c3po (default 4) or sparkle (default 5)'),
    tree: { ...shared.flag('c3po and sparkle as a tree (default)'), negation: 'one chain for each query' },
    maxSteps: setting(count, '<count>', 'most thoughts of sparkle (default 8)'),
    triples: setting(text, '<file>', 'facts for sparkle, made by `querent triples`'),
    alpha: setting(
      within(0, 1),
      '<number>',
      'the weight of recall for sparkle (default 0.3), or of costs for mao (0.1)',
    ),
    answerRecall: shared.flag('sparkle: where no document is judged, recall is an answer in the context'),
    prunePenalty: setting(
      within(0, 1),
      '<number>',
      'sparkle: what a search costs that finds nothing new (default: it is not trained)',
    ),
    maxRuns: setting(count, '<count>', 'most leaves of a query (default 64)'),
    concurrency: setting(count, '<count>', 'queries at a time (default 4)'),
  },
  'Rewards of acqo': rewardGroup,
  'Language model': {
    ...shared.chat,
    chatTimeout: setting(duration, '<duration>', 'longest time for a prompt (default 1m)'),
    ...rolloutModels,
  },
}

export type RolloutsSettings = ValuesOf<typeof groups>

export const rolloutsSettings = {
  groups,
  examples: [
    [
      'querent rollouts my-collection --policy c3po --index my-index --out rollouts.jsonl --chat-url http://localhost:8000/v1',
      'a tree for each query that has an accepted answer',
    ],
    [
      'querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl',
      'a row for each completion of an agent, with its advantage',
    ],
  ],
} satisfies CommandSettings
