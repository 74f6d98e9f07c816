import { readAnswers } from '../../evaluation/answers.ts'
import { type Evaluation, evaluate, type Search } from '../../evaluation/evaluate.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { runHits } from '../../evaluation/run-hits.ts'
import { writeRun } from '../../evaluation/trec.ts'
import { partFile } from '../../runtime/atomic-file.ts'
import type { Hit } from '../../types.ts'
import { answerJudgeOf } from '../open/answer-judge.ts'
import { prepareSearch } from '../open/build-search.ts'
import { checkJudged } from '../open/check-judged.ts'
import { readJudged } from '../open/read-judged.ts'
import { count } from '../output/count.ts'
import { answerWarnings, evaluationRows, printRows, rerankingWarning } from '../output/evaluation-table.ts'
import { framed } from '../output/framed.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import { openTraceFile, type TraceFile } from '../output/trace-file.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { judgeRun } from './judge-run.ts'

/** `querent evaluate <BEIR folder> --index <dir>`, or `--run-in <file>` */
export const runEvaluate: Run<SettingsOf<'evaluate'>> = async ([folder], settings, terminal) => {
  const { signal } = terminal
  if (settings.runIn !== undefined) return judgeRun(folder!, settings.runIn, settings, terminal)
  const open = await prepareSearch(settings, terminal, true)
  const judge = await answerJudgeOf(settings, terminal)
  settings.metrics?.forEach(parseMetric)
  await checkOutputs({ '--run': settings.run, '--traces': settings.traces }, [
    folder,
    settings.queries,
    settings.qrels,
  ])
  const { queries, qrels, files } = await readJudged(folder!, settings, terminal)
  const { optimizer, index, answers, close } = await open()
  const progress = showProgress(terminal)
  const searched = new Map<string, readonly Hit[]>()
  let traces: TraceFile | undefined
  try {
    await checkJudged(folder!, { queries, qrels }, index, terminal)
    traces = settings.traces === undefined ? undefined : await openTraceFile(settings.traces)
    const search: Search = (query, options) =>
      optimizer.search(query, { ...options, answer: settings.answer })
    const evaluation = await evaluate(search, queries, qrels, {
      signal,
      ...(answers && { answers: await readAnswers(files.queries, { signal }) }),
      ...(judge && { judge: judge.judge }),
      ...(settings.k !== undefined && { k: settings.k }),
      ...(settings.metrics && { metrics: settings.metrics }),
      ...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
      onProgress: (done, total) => progress.update('searching', done, total),
      async onResult(result, qid) {
        await traces?.write(result.trace)
        searched.set(qid, runHits(result))
      },
    })
    progress.stop()
    if (settings.run !== undefined) await writeRun(settings.run, evaluation.run, { signal })
    await traces?.complete()
    const judging = judge && { judging: judge.judging() }
    if (settings.json) printJson(terminal, { ...evaluation.summary, ...judging, files })
    else printRows(terminal, evaluationRows(evaluation.summary), settings.format)
    for (const line of warningsOf(evaluation)) say(terminal, line)
    if (answers) for (const line of answerWarnings(evaluation.summary)) say(terminal, line)
    for (const line of judge?.describe() ?? []) say(terminal, line)
  } catch (error) {
    progress.stop()
    if (signal.aborted) await keepPart(searched, settings.run, traces, terminal)
    else await traces?.keep().catch(() => {})
    throw error
  } finally {
    await traces?.close()
    await close()
  }
}

/** Keeps the results so far after Ctrl-C, in files ending in `.part`. */
async function keepPart(
  searched: ReadonlyMap<string, readonly Hit[]>,
  run: string | undefined,
  traces: TraceFile | undefined,
  terminal: Terminal,
): Promise<void> {
  say(terminal, `Stopped after ${count(searched.size, 'query', 'queries')}.`)
  if (traces !== undefined) say(terminal, `Their traces are in ${await traces.keep()}.`)
  if (run === undefined || searched.size === 0) return
  const { part, keep } = await partFile(run)
  await writeRun(part, searched)
  say(terminal, `Their hits are in ${await keep()}.`)
}

/** Caveats about the figures. */
function warningsOf({ summary, traces, errors, unjudged }: Evaluation): string[] {
  const { queries, failures } = summary
  const partial = traces.filter((trace) => trace.partial).length
  const reason = traces.find(({ fallback }) => fallback !== undefined)?.fallback?.message
  const nothingElse = failures > 0 && failures === traces.length
  const reranking = rerankingWarning(summary)
  const rerankReason = traces.find(({ rerankFailure }) => rerankFailure !== undefined)?.rerankFailure?.message
  return [
    ...(unjudged > 0 ? [`${unjudged} of the queries have no judgments and were left out.`] : []),
    ...(errors.length > 0
      ? [
          `${count(errors.length, 'search', 'searches')} failed and count as 0. The first error: ${errors[0]!.error.message}`,
        ]
      : []),
    ...(partial > 0
      ? [`${count(partial, 'search is', 'searches are')} partial: a leg failed or was late.`]
      : []),
    ...(failures > 0 && !nothingElse
      ? [`${failures} of ${queries} queries fell back to the original query. The first reason: ${reason}`]
      : []),
    ...(nothingElse
      ? framed(
          `WARNING: all queries (${failures}) fell back to the original query. These are NOT the policy's figures.`,
          `The first reason: ${reason}`,
        )
      : []),
    ...(reranking !== undefined ? framed(`WARNING: ${reranking}`, `The first reason: ${rerankReason}`) : []),
  ]
}
