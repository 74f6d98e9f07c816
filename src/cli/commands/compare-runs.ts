/** `querent compare a.trec b.trec --qrels qrels.tsv`: runs of any programs against the first of them. Nothing is searched. */
import { basename } from 'node:path'
import { readQueries } from '../../evaluation/beir.ts'
import { compare } from '../../evaluation/compare.ts'
import { evaluateRun } from '../../evaluation/evaluate-run.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { readQrels } from '../../evaluation/trec.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showComparison } from '../output/show-comparison.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { dashed, refuse, required } from '../settings/setting.ts'
import { readJudgedRun } from './judge-run.ts'

/** What only searches need. */
const searching = ['index', 'policies', 'reranks', 'fusions', 'retrievers', 'through', 'target'] as const

export async function compareRuns(
  paths: readonly string[],
  settings: SettingsOf<'compare'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const { metrics, queries: file, report } = settings
  const needless = searching.find((name) => settings[name] !== undefined)
  refuse(
    needless !== undefined,
    `${dashed(needless ?? '')} is for searches, and ${paths.length} runs are compared`,
    'Leave it out, or name one folder.',
  )
  const judgments = required(settings, 'qrels')
  metrics?.forEach(parseMetric)
  if (report !== undefined) await checkOutputs({ '--report': report }, [...paths, judgments, file])
  const qrels = await readQrels(judgments, { signal })
  const queries =
    file === undefined
      ? Array.from(qrels.keys(), (qid) => ({ qid, text: qid }))
      : await readQueries(file, { signal })
  const names = paths.map((path) => basename(path))
  const systems = []
  for (const [place, path] of paths.entries()) {
    const { run } = await readJudgedRun(path, { queries, qrels }, terminal)
    const name = names.indexOf(names[place]!) === names.lastIndexOf(names[place]!) ? names[place]! : path
    systems.push({ name, evaluation: evaluateRun(run, queries, qrels, metrics) })
  }
  const k = Math.max(
    ...systems.flatMap(({ evaluation }) => Array.from(evaluation.run.values(), (hits) => hits.length)),
  )
  const date = new Date().toISOString().slice(0, 10)
  const comparison = compare(systems, { collection: basename(judgments), k, depth: k, date })
  await showComparison(comparison, settings, {}, terminal)
}
