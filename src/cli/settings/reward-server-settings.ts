/** Settings of `querent reward-server`. */
import { rewardGroup } from './reward-settings.ts'
import { rolloutModels } from './rollouts-settings.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { count, duration, text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  Basic: {
    ...shared.index,
    ...shared.retrievers,
    ...shared.model,
    qrels: setting(text, '<file>', 'judgments, for requests with a query id alone'),
    ...shared.server(8177),
    ...shared.json,
  },
  Rewards: rewardGroup,
  'Rollouts, which need a language model': {
    queries: setting(
      text,
      '<file>',
      'queries and their accepted answers, for requests with a query id alone',
    ),
    ...shared.chat,
    chatTimeout: setting(duration, '<duration>', 'longest time for a prompt (default 1m)'),
    ...rolloutModels,
  },
  Limits: {
    requestTimeout: setting(duration, '<duration>', 'how long a request may take (default 60s)'),
    cacheMb: setting(count, '<count>', 'megabytes of cached searches (default 512)'),
  },
}

export type RewardServerSettings = ValuesOf<typeof groups>

export const rewardServerSettings = {
  groups,
  examples: [
    ['querent reward-server --index my-index', 'requests contain the relevant documents'],
    [
      'querent reward-server --index my-index --qrels qrels/train.tsv --stage 1',
      'requests may contain the query id instead',
    ],
    [
      'querent reward-server --index my-index --chat-url http://localhost:8000/v1 --request-timeout 10m',
      'also rollouts, which take as long as their models',
    ],
    ['querent reward-server --index my-index --host 0.0.0.0 --port 9000', 'for trainers on other machines'],
  ],
} satisfies CommandSettings
