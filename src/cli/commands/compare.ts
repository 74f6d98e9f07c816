import { writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { readAnswers } from '../../evaluation/answers.ts'
import { compare, type EvaluatedSystem } from '../../evaluation/compare.ts'
import type { Comparison } from '../../evaluation/comparison.ts'
import { evaluate, hitsAsked, type Search } from '../../evaluation/evaluate.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { shownHits } from '../../evaluation/report/explained-search.ts'
import { collectExplanations, type Explanations } from '../../evaluation/report/explanations.ts'
import { report } from '../../evaluation/report.ts'
import { depthFor } from '../../optimizer.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import type { SearchResult } from '../../types.ts'
import { type AnswerJudge, answerJudgeOf } from '../open/answer-judge.ts'
import { checkSearched, openSettingsIndex, prepareVariant } from '../open/build-search.ts'
import { checkJudged } from '../open/check-judged.ts'
import { readJudged } from '../open/read-judged.ts'
import { sayWithoutEffect } from '../open/without-effect.ts'
import {
  comparisonColumns,
  comparisonRows,
  comparisonTable,
  comparisonWarnings,
} from '../output/comparison-table.ts'
import { answerWarnings } from '../output/evaluation-table.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showProgress } from '../output/progress.ts'
import { formatTable } from '../output/table-format.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import { distinctSystems } from '../settings/distinct-systems.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { namedVariants } from '../settings/variants.ts'

/** `querent compare <BEIR folder> --index <dir> --policies none,acqo` */
export const runCompare: Run<SettingsOf<'compare'>> = async ([folder], settings, terminal) => {
  const judge = await answerJudgeOf(settings, terminal)
  const explanations = settings.report === undefined ? undefined : collectExplanations()
  const comparison = await compareVariants(folder!, settings, { judge, explanations }, terminal)
  if (settings.report !== undefined) {
    const page = await report(comparison, explanations)
    await writeAtomically(settings.report, (part, flag) =>
      writeFile(part, page, { flag, signal: terminal.signal }),
    )
    say(terminal, `Wrote the report: ${settings.report}`)
  }
  if (settings.json) printJson(terminal, { ...comparison, ...(judge && { judging: judge.judging() }) })
  else {
    const { format = 'text' } = settings
    const lines =
      format === 'text'
        ? comparisonTable(comparison)
        : formatTable(format, comparisonColumns, comparisonRows(comparison))
    for (const line of lines) print(terminal, line)
  }
  for (const line of comparisonWarnings(comparison)) say(terminal, line)
  for (const line of judge?.describe() ?? []) say(terminal, line)
}

async function compareVariants(
  folder: string,
  settings: SettingsOf<'compare'>,
  {
    judge,
    explanations,
  }: { readonly judge: AnswerJudge | undefined; readonly explanations: Explanations | undefined },
  terminal: Terminal,
): Promise<Comparison> {
  const { signal } = terminal
  // Check everything before the first search: searching may take hours.
  const named = namedVariants(settings)
  const { systems, same } = await distinctSystems(named.systems, settings)
  const prepared = []
  for (const { name, variant } of systems)
    prepared.push({ name, rerank: variant.rerank, ...(await prepareVariant(variant, settings, terminal)) })
  sayWithoutEffect(settings, prepared, terminal)
  checkSearched(settings, settings.retrievers?.flat())
  settings.metrics?.forEach(parseMetric)
  if (settings.report !== undefined)
    await checkOutputs({ '--report': settings.report }, [folder, settings.queries, settings.qrels])

  for (const [name, other] of same) say(terminal, `${name} is the same as ${other}: both are searched once.`)
  const { queries, qrels, files } = await readJudged(folder, settings, terminal)
  const answers = prepared.some((system) => system.answers)
    ? await readAnswers(files.queries, { signal })
    : undefined
  const retrievers = settings.retrievers && [...new Set(settings.retrievers.flat())]
  const index = await openSettingsIndex(settings, terminal, retrievers)
  const asks = prepared.some((system) => system.asks)
  const chatModel = settings.chatModel ?? terminal.env.QUERENT_CHAT_MODEL
  const progress = showProgress(terminal)
  const k = hitsAsked(settings.k, settings.metrics)
  try {
    await checkJudged(folder, { queries, qrels }, index, terminal)
    const evaluated: EvaluatedSystem[] = []
    for (const { name, create } of prepared) {
      const { optimizer } = await create(index)
      const before = evaluated.length
      const search: Search = (query, options) =>
        optimizer.search(query, { ...options, answer: settings.answer })
      const evaluation = await evaluate(search, queries, qrels, {
        signal,
        ...(answers && { answers }),
        ...(judge && { judge: judge.judge }),
        k,
        ...(settings.metrics && { metrics: settings.metrics }),
        ...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
        ...(explanations && {
          async onResult(result: SearchResult, qid: string) {
            const hits = await index.withDocuments(result.hits.slice(0, shownHits))
            explanations.add(name, qid, { ...result, hits }, qrels.get(qid)!)
          },
        }),
        onProgress: (done, total) =>
          progress.update('searching', before * total + done, prepared.length * total),
      })
      evaluated.push({ name, evaluation })
    }
    progress.stop()
    if (answers) for (const line of answerWarnings(evaluated[0]!.evaluation.summary)) say(terminal, line)
    return compare(evaluated, {
      collection: basename(resolve(folder)),
      split: files.split,
      k,
      depth: depthFor(k, settings.depth),
      date: new Date().toISOString().slice(0, 10),
      settings: {
        ...named.shared,
        ...(retrievers === undefined && { retrievers: index.retrievers.map(({ name }) => name).join('+') }),
        ...Object.fromEntries([...same].map(([name, other]) => [name, `the same as ${other}`])),
        ...(asks && chatModel !== undefined && { 'chat model': chatModel }),
        ...(judge && answers && { judge: judge.describe().join(' ') }),
      },
    })
  } finally {
    progress.stop()
    await index.close()
  }
}
