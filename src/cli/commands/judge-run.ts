/** `querent evaluate <BEIR folder> --run-in <file>`: judges a run that was made before, without a search. */
import { QuerentError } from '../../errors.ts'
import type { BeirCollection } from '../../evaluation/beir-folder.ts'
import { evaluateRun } from '../../evaluation/evaluate-run.ts'
import { decodeId, encodeId } from '../../evaluation/ids.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { readRun } from '../../evaluation/trec.ts'
import type { Qrels, Run } from '../../types.ts'
import { metricsOfClicks, readJudged } from '../open/judged.ts'
import { metricRows, rowLines } from '../output/evaluation-table.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given } from '../settings/setting.ts'
import { openGate } from './gate.ts'

export async function judgeRun(
  folder: string,
  path: string,
  settings: SettingsOf<'evaluate'>,
  terminal: Terminal,
): Promise<void> {
  const gate = await openGate(settings, terminal)
  settings.metrics?.forEach(parseMetric)
  await checkOutputs(gate?.outputs ?? {}, [folder, settings.queries, settings.qrels, path])
  const searched = (['run', 'traces'] as const).find((name) => settings[name] !== undefined)
  if (searched !== undefined)
    throw new QuerentError('bad-config', `--run-in and --${searched} exclude each other`, {
      remedy: `Leave out --${searched}: with --run-in, nothing is searched.`,
    })
  const { queries, qrels, files } = await readJudged(folder, settings, terminal)
  gate?.open({ queries, qrels })
  const named = settings.metrics ?? metricsOfClicks(files, terminal)
  const { run, missing, others } = await readJudgedRun(path, { queries, qrels }, terminal)
  const evaluation = evaluateRun(run, queries, qrels, gate?.metrics(named) ?? named)
  const { queries: judged, metrics: means } = evaluation.summary
  const summary = { queries: judged, metrics: means }
  const checks = gate?.checksOf(evaluation)
  const found = { missing, others, files: { ...files, run: path }, ...given({ checks }) }
  if (settings.json) printJson(terminal, { ...summary, ...found })
  else for (const line of rowLines(metricRows(summary), settings.format)) print(terminal, line)
  await gate?.close(checks!, evaluation)
}

/**
 * Reads a run, and says what it lacks of the judged queries and has beside them.
 *
 * @throws QuerentError as `readRun` does; `bad-file` if it has none of them
 */
export async function readJudgedRun(
  path: string,
  { queries, qrels }: Pick<BeirCollection, 'queries' | 'qrels'>,
  terminal: Terminal,
): Promise<{ readonly run: Run; readonly missing: number; readonly others: number }> {
  const run = await readRun(path, { signal: terminal.signal })
  const qids = queries.flatMap(({ qid }) => (qid !== undefined && qrels.has(qid) ? [qid] : []))
  const missing = qids.filter((qid) => !run.has(qid)).length
  if (missing === qids.length)
    throw new QuerentError('bad-file', `None of the judged queries (${qids.length}) is in ${path}`, {
      remedy: 'Check that the run, the queries and the judgments belong to the same collection and split.',
    })
  const others = run.size - (qids.length - missing)
  const judged = count(missing, 'judged query is', 'judged queries are')
  if (missing > 0) say(terminal, `${judged} not in the run ${path}: 0 in every metric.`)
  if (others > 0) say(terminal, `Left out ${queryCount(others)} of the run ${path} without judgments.`)
  sayMisread(run, qrels, terminal)
  return { run, missing, others }
}

function sayMisread(run: Run, qrels: Qrels, terminal: Terminal): void {
  const [written, ...more] = judgedAsWritten(run, qrels)
  if (written === undefined) return
  const [here, read, needed] = [written, decodeId(written), encodeId(written)].map((id) => JSON.stringify(id))
  say(
    terminal,
    `${count(1 + more.length, 'docid')} of the run judged only as written: ${here} was read as ${read}, because a run has percent-encoded white space. Write ${needed} in the run, or give the judgments in TREC's format.`,
  )
}

/** Docids as the run's file has them that are judged, while what was read from them is not judged for any query. */
function judgedAsWritten(run: Run, qrels: Qrels): ReadonlySet<string> {
  const judged = new Set([...qrels.values()].flatMap((grades) => [...grades.keys()]))
  const docids = [...run.values()].flatMap((hits) => hits.map(({ docid }) => docid))
  const isMisread = (docid: string): boolean => !judged.has(docid) && judged.has(encodeId(docid))
  return new Set(docids.filter(isMisread).map(encodeId))
}
