import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import type { PolicyFile } from '../../policies/local/policy-file.ts'
import { readPolicy, writePolicy } from '../../policies/local/policy-store.ts'
import { shippedFor, shippedPath } from '../../policies/local/shipped.ts'
import { QuerentError } from '../errors.ts'
import { type IndexTraining, trainOnIndexes } from '../training/train-on-indexes.ts'
import type { Retriever } from '../types.ts'
import { addCommand } from './command.ts'
import { formatDuration } from './duration.ts'
import { required } from './open-search.ts'
import { checkWritable } from './output-file.ts'
import { defaultPolicy } from './policies.ts'
import type { Settings } from './settings.ts'
import { printJson, say, type Terminal } from './terminal.ts'
import { openTrainingIndexes } from './training-indexes.ts'
import { describeCurve, showTraining } from './training-progress.ts'
import { readTrainingSources } from './training-sources.ts'

/** `querent train <BEIR folder>… --index <dir>… --out policy.json` */
export function addTrain(program: Command, terminal: Terminal): void {
  addCommand(program, {
    usage: 'train [folders...]',
    summary: 'train a policy on judged queries',
    settings: [
      'index',
      'out',
      'split',
      'queries',
      'qrels',
      'traces',
      'retrievers',
      'model',
      'seed',
      'epochs',
      'cost',
      'depth',
      'rerank',
      'decision',
      'checkpoint',
      'resume',
      'json',
    ],
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
    async run([folders], settings) {
      const startMs = performance.now()
      const out = required(settings, 'out')
      checkSettings(settings)
      await checkWritable(out)
      const checkpoint = settings.checkpoint ?? `${out}.checkpoint`
      await checkWritable(checkpoint)
      if (!settings.resume && existsSync(checkpoint))
        say(
          terminal,
          `${checkpoint} is left of an earlier training, which --resume would go on with. Starting anew.`,
        )

      const trained = await trainSources(folders as readonly string[], settings, checkpoint, terminal)
      await writePolicy(out, trained.policy)
      const seconds = (performance.now() - startMs) / 1000
      if (settings.json) {
        const { policy, curve } = trained
        printJson(terminal, { out, digest: policy.digest, trainedOn: policy.trainedOn, curve, seconds })
      } else for (const line of describeTraining(trained, out, seconds)) say(terminal, line)
    },
  })
}

/** Re-ranking is fitted or not: whose it is, is no question here. */
function checkSettings({ rerank, decision }: Settings): void {
  if (rerank === false && decision !== undefined)
    throw new QuerentError('bad-config', 'With --decision and --no-rerank there is nothing to train', {
      remedy: 'Leave out one of them.',
    })
  if (rerank === undefined || rerank === false) return
  throw new QuerentError('bad-config', `train does not take --rerank ${rerank}`, {
    remedy: 'Leave it out, or say --no-rerank to fit the decision alone.',
  })
}

/** The policy whose decision is kept, where one is. */
async function decidedBy(
  decision: string | undefined,
  retrievers: readonly Retriever[],
): Promise<PolicyFile | 'none' | undefined> {
  if (decision === undefined || decision === 'none') return decision
  if (decision !== defaultPolicy) return readPolicy(decision)
  return readPolicy(shippedPath(shippedFor(retrievers.map(({ name }) => name))))
}

async function trainSources(
  folders: readonly string[],
  settings: Settings,
  checkpoint: string,
  terminal: Terminal,
): Promise<IndexTraining> {
  const { signal } = terminal
  const sources = await readTrainingSources(folders, settings, terminal)
  const { indexes, close } = await openTrainingIndexes(settings, terminal)
  const progress = showTraining(terminal)
  let kept = false
  try {
    return await trainOnIndexes(
      sources.map((source, place) => ({ ...source, index: indexes[place]! })),
      {
        seed: settings.seed,
        epochs: settings.epochs,
        cost: settings.cost,
        depth: settings.depth,
        rerank: settings.rerank !== false,
        decided: await decidedBy(settings.decision, indexes[0]!.retrievers),
        checkpoint,
        resume: settings.resume,
        signal,
        onCollection({ name, queries, golds, missing }) {
          say(terminal, `${name}: ${queries.length} queries with ${golds} relevant documents`)
          if (missing > 0)
            say(terminal, `${name}: ${missing} of them are not in the index and cannot be found.`)
        },
        onProgress: progress.update,
        onCheckpoint() {
          kept = true
        },
      },
    )
  } catch (error) {
    progress.stop()
    if (signal.aborted)
      say(
        terminal,
        kept || settings.resume
          ? `Stopped. ${checkpoint} holds what was learned: the same command with --resume goes on.`
          : 'Stopped before anything was learned.',
      )
    throw error
  } finally {
    progress.stop()
    await close()
  }
}

function describeTraining({ policy, curve }: IndexTraining, out: string, seconds: number): string[] {
  const queries = policy.trainedOn.reduce((sum, { queries }) => sum + queries, 0)
  return [
    ...describeCurve(curve),
    `${out}: trained on ${queries} queries in ${formatDuration(1000 * seconds)}.`,
    `Whether it helps show queries that it has not seen: querent compare … --policies none,local,${out}`,
  ]
}
