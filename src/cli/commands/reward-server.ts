import { type RewardServerOptions, startRewardServer } from '../../../adapters/apps/reward-server/server.ts'
import { readAnswers } from '../../evaluation/answers.ts'
import { readQueries } from '../../evaluation/beir.ts'
import { readQrels } from '../../evaluation/trec.ts'
import { lookUpGolds } from '../../training/data/relevant-docs.ts'
import { openSettingsIndex } from '../open/build-search.ts'
import { sayMissing } from '../open/judged.ts'
import { rewardOptionsOf, rolloutModelsOf } from '../open/rollout-models.ts'
import { serveUntilInterrupted } from '../open/serving.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, required } from '../settings/setting.ts'

/** `querent reward-server --index <dir>` */
export const run: Run<SettingsOf<'reward-server'>> = async (_, settings, terminal) => {
  const { signal } = terminal
  const { maxSubQueries, host, hosts, port, requestTimeout: timeout, cacheMb } = settings
  const defaults = rewardOptionsOf(settings)
  required(settings, 'index')
  const qrels = settings.qrels === undefined ? undefined : await readQrels(settings.qrels, { signal })
  const rolling = await rollingOf(settings, terminal)
  const index = await openSettingsIndex(settings, terminal, settings.retrievers)
  try {
    if (qrels !== undefined) {
      const { golds, indexed } = await lookUpGolds(index.documents, qrels, signal)
      sayMissing(golds.size - indexed.size, golds.size, terminal)
    }
    const server = await startRewardServer({
      ...{ index, defaults, ...rolling },
      ...(await tasksOf(settings, terminal)),
      ...given({ qrels, maxSubQueries, host, hosts, port, timeout }),
      ...(cacheMb !== undefined && { cacheBytes: cacheMb * 2 ** 20 }),
      onFailure: (line) => say(terminal, line),
    })
    if (settings.json) printJson(terminal, { url: server.url })
    const lines = settings.json ? [] : [`Listening on ${server.url}. Stop with Ctrl-C.`]
    await serveUntilInterrupted(server, lines, settings, terminal)
  } finally {
    await index.close()
  }
}

/** The queries and their accepted answers, if a file is named. */
const tasksOf = async (
  { queries: path }: SettingsOf<'reward-server'>,
  { signal }: Terminal,
): Promise<Pick<RewardServerOptions, 'queries' | 'answers'>> =>
  path === undefined
    ? {}
    : { queries: await readQueries(path, { signal }), answers: await readAnswers(path, { signal }) }

/** What rollouts need, if a chat model is named. */
async function rollingOf(
  settings: SettingsOf<'reward-server'>,
  terminal: Terminal,
): Promise<Pick<RewardServerOptions, 'models'>> {
  const { chatUrl, chatModel } = settings
  if ((chatUrl ?? chatModel) === undefined) return {}
  const { environment, agents, agentsNamed, judge } = await rolloutModelsOf('Rollouts', settings, terminal)
  return {
    models: {
      environment,
      agents: (model) => (model === undefined ? agents : agentsNamed(model)),
      judge: judge?.judge,
    },
  }
}
