import { existsSync } from 'node:fs'
import { isPolicyFile } from '../../../policies/by-name.ts'
import type { PolicyFile } from '../../../policies/local/policy-file/policy-file.ts'
import { readPolicy, writePolicy } from '../../../policies/local/policy-file/policy-store.ts'
import { shippedFor, shippedPath } from '../../../policies/local/shipped.ts'
import {
  type IndexedCollection,
  type IndexTraining,
  trainOnIndexes,
} from '../../../policies/local/training/train-on-indexes.ts'
import type { Retriever } from '../../types.ts'
import { holdOutQueries, readTrainingSources } from '../open/training-data.ts'
import { openTrainingIndexes } from '../open/training-indexes.ts'
import { checkOutputs, warnBesideSources } from '../output/output-paths.ts'
import { say, type Terminal, tell } from '../output/terminal.ts'
import { showTraining } from '../output/training-progress.ts'
import { writeTrainingReport } from '../output/training-report.ts'
import { count, formatDuration, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'
import { defaultPolicy } from '../settings/setting-names.ts'

type Settings = SettingsOf<'train'>

/** `querent train <BEIR folder>… --index <dir>… --out policy.json` */
export const run: Run<Settings> = async (folders, settings, terminal) => {
  const startMs = performance.now()
  const out = required(settings, 'out')
  checkSettings(settings, out)
  const { queries, qrels, traces, decision, report, seed = 1 } = settings
  const written = { '--out': out, '--report': report }
  await checkOutputs(written, [...folders, queries, qrels, traces, decision])
  for (const path of Object.values(written))
    if (path !== undefined && existsSync(path)) say(terminal, `${path} exists. This training replaces it.`)
  for (const folder of folders) warnBesideSources(out, folder, terminal)

  const sources = await readTrainingSources(folders, settings, terminal)
  const { indexes, close } = await openTrainingIndexes(settings, terminal)
  try {
    const collections = sources.map((source, place) => ({ ...source, index: indexes[place]! }))
    const heldOut = report === undefined ? undefined : holdOutQueries(collections, seed)
    const { policy } = await train(collections, settings, terminal)
    await writePolicy(out, policy)
    const { digest, trainedOn } = policy
    const ms = performance.now() - startMs
    const trained = trainedOn.reduce((sum, { queries }) => sum + queries, 0)
    tell(terminal, settings, { out, digest, trainedOn, seconds: ms / 1000 }, [
      `${out}: trained on ${queryCount(trained)} in ${formatDuration(ms)}.`,
      `To see whether it helps, compare it on other queries: querent compare … --policies none,local,${out}`,
    ])
    if (report === undefined || heldOut === undefined) return
    const retrain = (part: readonly IndexedCollection[]) => train(part, settings, terminal)
    await writeTrainingReport(report, heldOut, retrain, settings, terminal)
  } finally {
    await close()
  }
}

function checkSettings(settings: Settings, out: string): void {
  const { rerank, decision } = settings
  // The file must have a name that `--policy` takes for a file.
  refuse(
    !isPolicyFile(out),
    `--out ${out} does not end in .json, so --policy would not take it for a file`,
    `Name it ${out}.json.`,
  )
  refuse(
    rerank === false && decision !== undefined,
    '--decision and --no-rerank together leave nothing to train',
    'Leave out one of them.',
  )
}

/** The policy whose decision is kept, if any. */
async function decidedBy(
  decision: string | undefined,
  retrievers: readonly Retriever[],
): Promise<PolicyFile | 'none' | undefined> {
  if (decision === undefined || decision === 'none') return decision
  return readPolicy(decision === defaultPolicy ? shippedPath(shippedFor(retrievers)) : decision)
}

async function train(
  collections: readonly IndexedCollection[],
  settings: Settings,
  terminal: Terminal,
): Promise<IndexTraining> {
  const { signal } = terminal
  const { seed, depth, rerank, decision } = settings
  const decided = await decidedBy(decision, collections[0]!.index.retrievers)
  const progress = showTraining(terminal)
  try {
    return await trainOnIndexes(collections, {
      ...{ seed, depth, rerank: rerank !== false, decided, signal },
      onCollection({ name, queries, golds, missing }) {
        say(terminal, `${name}: ${queryCount(queries.length)} with ${count(golds, 'relevant document')}`)
        const lost = count(missing, 'of them is', 'of them are')
        if (missing > 0) say(terminal, `${name}: ${lost} not in the index, where no search can find any.`)
      },
      onProgress: progress.update,
    })
  } catch (error) {
    progress.stop()
    if (signal.aborted)
      say(terminal, 'Stopped. Nothing of this training is kept: the same command begins it again.')
    throw error
  } finally {
    progress.stop()
  }
}
