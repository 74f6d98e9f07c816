import { existsSync } from 'node:fs'
import { isPolicyFile } from '../../../policies/by-name.ts'
import type { PolicyFile } from '../../../policies/local/policy-file.ts'
import { readPolicy, writePolicy } from '../../../policies/local/policy-store.ts'
import { shippedFor, shippedPath } from '../../../policies/local/shipped.ts'
import {
  type IndexedCollection,
  type IndexTraining,
  trainOnIndexes,
} from '../../../policies/local/training/train-on-indexes.ts'
import { QuerentError } from '../../errors.ts'
import type { Retriever } from '../../types.ts'
import { holdOutQueries } from '../open/held-out.ts'
import { openTrainingIndexes } from '../open/training-indexes.ts'
import { readTrainingSources } from '../open/training-sources.ts'
import { count } from '../output/count.ts'
import { formatDuration } from '../output/duration.ts'
import { warnBesideSources } from '../output/output-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import { describeCurve, showTraining } from '../output/training-progress.ts'
import { writeTrainingReport } from '../output/training-report.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { defaultPolicy } from '../settings/setting-names.ts'
import { typedAs } from '../settings/table.ts'

/** `querent train <BEIR folder>… --index <dir>… --out policy.json` */
export const runTrain: Run<SettingsOf<'train'>> = async (folders, settings, terminal) => {
  const startMs = performance.now()
  const out = required(settings, 'out')
  checkSettings(settings)
  const { queries, qrels, traces, decision } = settings
  const written = { '--out': out, '--report': settings.report }
  await checkOutputs(written, [...folders, queries, qrels, traces, decision])
  for (const path of Object.values(written))
    if (path !== undefined && existsSync(path)) say(terminal, `${path} exists. This training replaces it.`)
  for (const folder of folders) warnBesideSources(out, folder, terminal)

  const sources = await readTrainingSources(folders, settings, terminal)
  const { indexes, close } = await openTrainingIndexes(settings, terminal)
  try {
    const collections = sources.map((source, place) => ({ ...source, index: indexes[place]! }))
    const { report, seed = 1 } = settings
    const heldOut = report === undefined ? undefined : holdOutQueries(collections, seed)
    const trained = await train(collections, settings, terminal)
    await writePolicy(out, trained.policy)
    const seconds = (performance.now() - startMs) / 1000
    const { policy, curve } = trained
    if (settings.json)
      printJson(terminal, { out, digest: policy.digest, trainedOn: policy.trainedOn, curve, seconds })
    else for (const line of describeTraining(trained, out, seconds)) say(terminal, line)
    if (report !== undefined && heldOut !== undefined)
      await writeTrainingReport(
        report,
        heldOut,
        (part) => train(part, settings, terminal),
        settings,
        terminal,
      )
  } finally {
    await close()
  }
}

/** The file must have a name that `--policy` takes for a file. */
function checkSettings(settings: SettingsOf<'train'>): void {
  const { out, rerank, decision } = settings
  if (out !== undefined && !isPolicyFile(out))
    throw new QuerentError(
      'bad-config',
      `--out ${out} does not end in .json, so --policy would not take it for a file`,
      { remedy: `Name it ${out}.json.` },
    )
  if (rerank === false && decision !== undefined)
    throw new QuerentError('bad-config', '--decision and --no-rerank together leave nothing to train', {
      remedy: 'Leave out one of them.',
    })
  const ofDecision = (['epochs', 'cost', 'tauMax', 'keepHardest'] as const).find(
    (name) => settings[name] !== undefined,
  )
  if (decision !== undefined && ofDecision !== undefined)
    throw new QuerentError(
      'bad-config',
      `${typedAs(ofDecision)} trains a decision, but --decision keeps one`,
      { remedy: `Leave out --decision or ${typedAs(ofDecision)}.` },
    )
}

/** The policy whose decision is kept, if any. */
async function decidedBy(
  decision: string | undefined,
  retrievers: readonly Retriever[],
): Promise<PolicyFile | 'none' | undefined> {
  if (decision === undefined || decision === 'none') return decision
  if (decision !== defaultPolicy) return readPolicy(decision)
  return readPolicy(shippedPath(shippedFor(retrievers)))
}

async function train(
  collections: readonly IndexedCollection[],
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<IndexTraining> {
  const { signal } = terminal
  const decided = await decidedBy(settings.decision, collections[0]!.index.retrievers)
  const progress = showTraining(terminal)
  try {
    return await trainOnIndexes(collections, {
      seed: settings.seed,
      epochs: settings.epochs,
      cost: settings.cost,
      tauMax: settings.tauMax,
      keepHardest: settings.keepHardest,
      depth: settings.depth,
      rerank: settings.rerank !== false,
      decided,
      signal,
      onCollection({ name, queries, golds, missing }) {
        say(
          terminal,
          `${name}: ${count(queries.length, 'query', 'queries')} with ${count(golds, 'relevant document')}`,
        )
        if (missing > 0)
          say(
            terminal,
            `${name}: ${missing} of them ${missing === 1 ? 'is' : 'are'} not in the index, so no search can find ${missing === 1 ? 'it' : 'them'}.`,
          )
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

function describeTraining({ policy, curve }: IndexTraining, out: string, seconds: number): string[] {
  const queries = policy.trainedOn.reduce((sum, { queries }) => sum + queries, 0)
  return [
    ...describeCurve(curve),
    `${out}: trained on ${count(queries, 'query', 'queries')} in ${formatDuration(1000 * seconds)}.`,
    `To see whether it helps, compare it on other queries: querent compare … --policies none,local,${out}`,
  ]
}
