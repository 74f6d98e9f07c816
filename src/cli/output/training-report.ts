/** `querent train --report`: evaluates such a policy on queries that it was not trained on. */
import { writeFile } from 'node:fs/promises'
import { type LocalPolicy, localPolicy, makeLocalPolicy } from '../../../policies/local/local-policy.ts'
import type { PolicyFile } from '../../../policies/local/policy-file/policy-file.ts'
import type { IndexedCollection, IndexTraining } from '../../../policies/local/training/train-on-indexes.ts'
import { none } from '../../../policies/none.ts'
import { compare, type EvaluatedSystem } from '../../evaluation/compare.ts'
import type { Comparison } from '../../evaluation/comparison.ts'
import { type Evaluation, evaluate, hitsAsked } from '../../evaluation/evaluate.ts'
import { report } from '../../evaluation/report.ts'
import { createOptimizer, depthFor } from '../../optimizer.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import type { Retriever } from '../../types.ts'
import { countQueries, type HeldOut } from '../open/training-data.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { comparisonLines } from './evaluation-table.ts'
import { withProgress } from './progress.ts'
import { say, type Terminal } from './terminal.ts'

/** Trains with the settings of the policy. */
type Train = (collections: readonly IndexedCollection[]) => Promise<IndexTraining>

/**
 * Trains a second policy without the held-out queries. Compares it on the held-out queries with the original query and with
 * Querent's own policy, and writes the comparison as a page.
 */
export async function writeTrainingReport(
  path: string,
  { train: trainPart, test }: HeldOut,
  train: Train,
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  try {
    say(
      terminal,
      `For the report, a second policy is trained on ${countQueries(trainPart)} of the queries and measured on the other ${countQueries(test)}.`,
    )
    const { policy } = await train(trainPart)
    const comparison = await compareOn(test, policy, settings, terminal)
    const page = await report(comparison)
    await writeAtomically(path, (part, flag) => writeFile(part, page, { flag, signal }))
    for (const line of comparisonLines(comparison)) say(terminal, line)
    say(terminal, `Wrote the report: ${path}`)
  } catch (error) {
    if (signal.aborted) say(terminal, 'The policy is written, and its report is not.')
    throw error
  }
}

async function compareOn(
  collections: readonly IndexedCollection[],
  policy: PolicyFile,
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<Comparison> {
  const rerank = settings.rerank !== false
  const systems: [string, (retrievers: readonly Retriever[]) => LocalPolicy | Promise<LocalPolicy>][] = [
    ['none', () => ({ policy: none() })],
    ['local', (retrievers) => localPolicy({ retrievers, rerank })],
    ['trained', () => makeLocalPolicy(policy)],
  ]
  const evaluated: EvaluatedSystem[] = []
  await withProgress(terminal, async (progress) => {
    for (const [name, make] of systems) {
      const before = evaluated.length
      const evaluation = await evaluateOn(collections, make, settings, {
        signal: terminal.signal,
        onProgress: (done, total) =>
          progress.update('evaluating', before * total + done, systems.length * total),
      })
      evaluated.push({ name, evaluation })
    }
  })
  const trainedOn = policy.trainedOn.reduce((sum, { queries }) => sum + queries, 0)
  const k = hitsAsked()
  return compare(evaluated, {
    collection: collections.map(({ name }) => name).join(', '),
    k,
    depth: depthFor(k, settings.depth),
    date: new Date().toISOString().slice(0, 10),
    settings: {
      retrievers: collections[0]!.index.retrievers.map(({ name }) => name).join('+'),
      local: 'the policy that comes with Querent',
      trained: `a policy that was trained on ${trainedOn} other queries, which share no relevant document and no conversation with these`,
    },
  })
}

/** Evaluates a system on all collections, each with its index. With several, qids begin with the collection's name. */
async function evaluateOn(
  collections: readonly IndexedCollection[],
  make: (retrievers: readonly Retriever[]) => LocalPolicy | Promise<LocalPolicy>,
  { depth }: SettingsOf<'train'>,
  options: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void },
): Promise<Evaluation> {
  const judged = await Promise.all(
    collections.map(async ({ name, queries, qrels, index: { retrievers, documents } }) => {
      const { search } = createOptimizer({
        retrievers,
        ...(await make(retrievers)),
        documents: (docids) => documents.get(docids),
        depth,
      })
      return queries.map((query) => ({
        query: { ...query, qid: collections.length === 1 ? query.qid! : `${name}: ${query.qid}` },
        grades: qrels.get(query.qid!)!,
        search,
      }))
    }),
  )
  const byQid = new Map(judged.flat().map((one) => [one.query.qid, one]))
  return evaluate(
    (query, searchOptions) => byQid.get(query.qid!)!.search(query, searchOptions),
    [...byQid.values()].map(({ query }) => query),
    new Map([...byQid].map(([qid, { grades }]) => [qid, grades])),
    options,
  )
}
