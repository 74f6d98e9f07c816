import type { Command } from 'commander'
import { startRewardServer } from '../../../adapters/apps/reward-server/server.ts'
import { readQrels } from '../../evaluation/trec.ts'
import { lookUpGolds } from '../../training/data/relevant-docs.ts'
import { openSettingsIndex, theIndex } from '../open/build-search.ts'
import { untilInterrupted } from '../open/serve-until-signal.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import { addSettings } from '../settings/command.ts'
import { rewardOptionsOf, rewardSettings } from '../settings/reward-settings.ts'

/** `querent reward-server --index <dir>` */
export function addRewardServer(command: Command, terminal: Terminal): void {
  addSettings(command, {
    settings: [
      'index',
      'model',
      'retrievers',
      'qrels',
      'host',
      'port',
      ...rewardSettings,
      'timeout',
      'cacheMb',
      'json',
    ],
    examples: [
      ['querent reward-server --index my-index', 'stage 2; requests bring the relevant documents along'],
      [
        'querent reward-server --index my-index --qrels qrels/train.tsv --stage 1 --profile topiocqa',
        'or their query’s id',
      ],
      ['querent reward-server --index my-index --host 0.0.0.0 --port 9000', 'for trainers on other machines'],
    ],
    async run(_, settings) {
      const { signal } = terminal
      const defaults = rewardOptionsOf(settings)
      theIndex(settings)
      const qrels = settings.qrels === undefined ? undefined : await readQrels(settings.qrels, { signal })
      const retrievers = settings.retrievers && [...new Set(settings.retrievers.flat())]
      const index = await openSettingsIndex(settings, terminal, retrievers)
      try {
        if (qrels !== undefined) {
          const { golds, indexed } = await lookUpGolds(index.documents, qrels, signal)
          const missing = golds.size - indexed.size
          if (missing > 0)
            say(
              terminal,
              `${missing} of ${golds.size} relevant documents are not in the index: they can never be found.`,
            )
        }
        const server = await startRewardServer({
          index,
          defaults,
          ...(qrels && { qrels }),
          ...(settings.maxSubQueries !== undefined && { maxSubQueries: settings.maxSubQueries }),
          ...(settings.host !== undefined && { host: settings.host }),
          ...(settings.port !== undefined && { port: settings.port }),
          ...(settings.timeout !== undefined && { timeout: settings.timeout }),
          ...(settings.cacheMb !== undefined && { cacheBytes: settings.cacheMb * 2 ** 20 }),
          onFailure: (line) => say(terminal, line),
        })
        if (settings.json) printJson(terminal, { url: server.url })
        else say(terminal, `Listening on ${server.url}; Ctrl-C ends it.`)
        await untilInterrupted(server, settings, terminal)
      } finally {
        await index.close()
      }
    },
  })
}
