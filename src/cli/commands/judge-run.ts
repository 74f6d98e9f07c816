import { QuerentError } from '../../errors.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { decodeId, encodeId } from '../../evaluation/ids.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { scoreRun } from '../../evaluation/score.ts'
import { readRun } from '../../evaluation/trec.ts'
import type { Qrels, Run } from '../../types.ts'
import { readJudged } from '../open/read-judged.ts'
import { sayIgnored } from '../open/without-effect.ts'
import { count } from '../output/count.ts'
import { metricRows, printRows } from '../output/evaluation-table.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { table } from '../settings/table.ts'

/** What it reads. The other settings say how to search, and what to do with answers. */
const read = ['runIn', 'metrics', 'format', 'split', 'queries', 'qrels', 'json']
const ofSearches = Object.keys(table).filter((name) => !read.includes(name))

/** `querent evaluate <BEIR folder> --run-in <file>`: judges a run that was made before, without a search. */
export async function judgeRun(
  folder: string,
  path: string,
  settings: SettingsOf<'evaluate'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const { metrics = defaultMetrics } = settings
  metrics.forEach(parseMetric)
  const searched = (['run', 'traces'] as const).find((name) => settings[name] !== undefined)
  if (searched !== undefined)
    throw new QuerentError('bad-config', `--run-in and --${searched} exclude each other`, {
      remedy: `Leave out --${searched}: with --run-in, nothing is searched.`,
    })
  sayIgnored(settings, ofSearches, 'with --run-in, which searches nothing', terminal)
  const { queries, qrels, files } = await readJudged(folder, settings, terminal)
  const run = await readRun(path, { signal })
  const qids = queries.flatMap(({ qid }) => (qid !== undefined && qrels.has(qid) ? [qid] : []))
  const missing = qids.filter((qid) => !run.has(qid)).length
  if (missing === qids.length)
    throw new QuerentError('bad-file', `None of the judged queries (${qids.length}) is in ${path}`, {
      remedy: 'Check that the run, the queries and the judgments belong to the same collection and split.',
    })
  const others = run.size - (qids.length - missing)
  const { means } = scoreRun(run, qrels, metrics, qids)
  const summary = { queries: qids.length, metrics: Object.fromEntries(means) }
  if (settings.json) printJson(terminal, { ...summary, missing, others, files: { ...files, run: path } })
  else printRows(terminal, metricRows(summary), settings.format)
  const verb = (number: number): string => (number === 1 ? 'is' : 'are')
  if (missing > 0)
    say(
      terminal,
      `${count(missing, 'judged query', 'judged queries')} ${verb(missing)} not in the run: 0 in every metric.`,
    )
  if (others > 0)
    say(terminal, `${count(others, 'query', 'queries')} of the run ${verb(others)} not judged, and left out.`)
  const literal = judgedAsWritten(run, qrels)
  if (literal.size > 0) {
    const [written] = literal
    say(
      terminal,
      `${count(literal.size, 'docid')} of the run ${verb(literal.size)} judged only as written: ${JSON.stringify(written)} was read as ${JSON.stringify(decodeId(written!))}, because a run has percent-encoded white space. Write ${JSON.stringify(encodeId(written!))} in the run, or give the judgments in TREC's format.`,
    )
  }
}

/** Docids as the run's file has them that are judged, while what was read from them is not judged for any query. */
function judgedAsWritten(run: Run, qrels: Qrels): ReadonlySet<string> {
  const judged = new Set([...qrels.values()].flatMap((grades) => [...grades.keys()]))
  const docids = [...run.values()].flatMap((hits) => hits.map(({ docid }) => docid))
  const isMisread = (docid: string): boolean => !judged.has(docid) && judged.has(encodeId(docid))
  return new Set(docids.filter(isMisread).map(encodeId))
}
