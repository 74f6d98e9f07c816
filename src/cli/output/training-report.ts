import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { defaultReward } from '../../../policies/local/training/decision-training.ts'
import { collectExamples } from '../../../policies/local/training/example.ts'
import type { IndexedCollection, IndexTraining } from '../../../policies/local/training/train-on-indexes.ts'
import { replaceFile, writeAtomically } from '../../runtime/atomic-file.ts'
import { conversationOf } from '../../training/data/conversations.ts'
import { parseExperimentsCheckpoint } from '../../training/experiments/experiments-checkpoint.ts'
import type { RetrieverSet } from '../../training/experiments/retriever-matrix.ts'
import { runExperiments } from '../../training/experiments/run-experiments.ts'
import { trainingReport } from '../../training/report/training-report.ts'
import type { Settings } from '../settings/settings.ts'
import { showProgress } from './progress.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Finds out whether anything was learned, by training again on parts of the queries and asking the others, and writes it as a
 * page. What is finished is kept beside the page until it is written: `--resume` goes on from there.
 */
export async function writeTrainingReport(
  path: string,
  collections: readonly IndexedCollection[],
  { examples, policy }: IndexTraining,
  settings: Settings,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const { cost, epochs, depth, rerank, seeds = 5 } = settings
  const checkpoint = `${path}.checkpoint`
  const isKept = settings.resume === true && existsSync(checkpoint)
  const progress = showProgress(terminal)
  try {
    const experiments = await runExperiments(examples, policy.terms, {
      seeds: Array.from({ length: seeds }, (_, index) => index + 1),
      reward: { ...defaultReward, ...(cost !== undefined && { cost }) },
      curriculum: epochs === undefined ? {} : { stageTwoEpochs: epochs },
      ...(rerank === false && { rerankedParts: 0 }),
      retrieverSets: await retrieverSets(collections, depth, signal),
      ...(isKept && { resume: parseExperimentsCheckpoint(await readFile(checkpoint, 'utf8'), checkpoint) }),
      onCheckpoint: (done) => replaceFile(checkpoint, [JSON.stringify(done)]),
      signal,
      onProgress: ({ what, done, total }) =>
        progress.update('finding out what was learned', Number(done.toFixed(2)), total, what),
    })
    const date = new Date().toISOString().slice(0, 10)
    const page = await trainingReport(experiments, { facts: [date] })
    await writeAtomically(path, (part) => writeFile(part, page, { signal }))
    await rm(checkpoint, { force: true })
    say(terminal, `The report is in ${path}.`)
  } catch (error) {
    progress.stop()
    if (signal.aborted)
      say(terminal, 'Stopped. The policy is trained; the same command with --resume goes on with the report.')
    throw error
  } finally {
    progress.stop()
  }
}

/** The queries as each retriever alone finds them, where there are several, for the matrix of retrievers. */
async function retrieverSets(
  collections: readonly IndexedCollection[],
  depth: number | undefined,
  signal: AbortSignal,
): Promise<RetrieverSet[]> {
  const names = collections[0]!.index.retrievers.map(({ name }) => name)
  if (names.length < 2) return []
  const sets: RetrieverSet[] = []
  for (const name of names) {
    const alone = collections.map(({ name: collection, queries, qrels, index }) => ({
      name: collection,
      queries,
      qrels,
      retrievers: index.retrievers.filter((retriever) => retriever.name === name),
      documents: (docids: readonly string[]) => index.documents.get(docids),
      groupOf: conversationOf,
    }))
    sets.push({
      name,
      examples: await collectExamples(alone, { signal, ...(depth !== undefined && { depth }) }),
    })
  }
  return sets
}
