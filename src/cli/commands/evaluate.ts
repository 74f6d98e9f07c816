/** `querent evaluate <BEIR folder>`: one system, several of them as `querent compare`, or a run. */
import { basename, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { readAnswers } from '../../evaluation/answers.ts'
import { compare, type EvaluatedSystem } from '../../evaluation/compare.ts'
import { evaluate, hitsAsked, type Search } from '../../evaluation/evaluate.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { collectExplanations, shownHits } from '../../evaluation/report/explanations.ts'
import { runHits } from '../../evaluation/run-hits.ts'
import { writeRun } from '../../evaluation/trec.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { depthFor } from '../../optimizer.ts'
import { partFile } from '../../runtime/atomic-file.ts'
import type { Hit, Qrels, SearchResult } from '../../types.ts'
import { type AnswerJudge, answerJudgeOf } from '../open/answer-judge.ts'
import { checkSearched, openSettingsIndex, prepareSystem, type System } from '../open/build-search.ts'
import { checkJudged, metricsOfClicks, readJudged } from '../open/judged.ts'
import { answerWarnings, evaluationRows, evaluationWarnings, rowLines } from '../output/evaluation-table.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showProgress } from '../output/progress.ts'
import { showComparison } from '../output/show-comparison.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import { openTraceFile, type TraceFile } from '../output/trace-file.ts'
import { queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { dashed, given } from '../settings/setting.ts'
import { distinctSystems, namedVariants, variantOf } from '../settings/variants.ts'
import { type Gate, openGate } from './gate.ts'
import { judgeRun } from './judge-run.ts'

/** What is common to both commands. */
type Settings = Omit<SettingsOf<'evaluate'>, 'retrievers'>

export const run: Run<SettingsOf<'evaluate'>> = ([folder], settings, terminal) => {
  const { policies, reranks, fusions, policy, rerank, fusion, retrievers } = settings
  if (settings.runIn !== undefined) return judgeRun(folder!, settings.runIn, settings, terminal)
  if ((policies ?? reranks ?? fusions) === undefined) return evaluateOne(folder!, settings, terminal)
  const one = <Value>(value: Value | undefined) => (value === undefined ? undefined : [value])
  const several = {
    policies: policies ?? one(policy),
    reranks: reranks ?? one(rerank === false ? 'none' : rerank),
    fusions: fusions ?? one(fusion),
    retrievers: one(retrievers),
  }
  return compareSystems(folder!, settings, several, terminal)
}

/** `querent compare <BEIR folder> --index <dir> --policies none,acqo`, or of several runs */
export const runCompare: Run<SettingsOf<'compare'>> = async ([folder, ...runs], settings, terminal) => {
  if (runs.length > 0)
    return (await import('./compare-runs.ts')).compareRuns([folder!, ...runs], settings, terminal)
  const { through, target, body } = settings
  if ((through ?? target ?? body) === undefined) return compareSystems(folder!, settings, settings, terminal)
  const { compareThrough } = await import('./compare-through.ts')
  await compareThrough(folder!, settings, terminal)
}

async function evaluateOne(
  folder: string,
  settings: SettingsOf<'evaluate'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const gate = await openGate(settings, terminal)
  const variant = variantOf(settings)
  const system = { name: variant.policy, ...(await prepareSystem(variant, settings, terminal)) }
  checkSearched(settings, variant.retrievers)
  const judge = await answerJudgeOf(settings, terminal)
  settings.metrics?.forEach(parseMetric)
  const written = { '--run': settings.run, '--traces': settings.traces, ...gate?.outputs }
  await checkOutputs(written, [folder, settings.queries, settings.qrels])
  const searched = new Map<string, readonly Hit[]>()
  let traces: TraceFile | undefined
  try {
    const { evaluated, files } = await measure(folder, [system], settings, variant.retrievers, terminal, {
      ...{ judge, gate },
      async onOpen() {
        traces = settings.traces === undefined ? undefined : await openTraceFile(settings.traces)
      },
      async onResult(_, qid, result) {
        await traces?.write(result.trace)
        searched.set(qid, runHits(result))
      },
    })
    const { evaluation } = evaluated[0]!
    if (settings.run !== undefined) await writeRun(settings.run, evaluation.run, { signal })
    await traces?.complete()
    const judging = judge && { judging: judge.judging() }
    const checks = gate?.checksOf(evaluation)
    if (settings.json) printJson(terminal, { ...evaluation.summary, ...judging, files, ...given({ checks }) })
    else
      for (const line of rowLines(evaluationRows(evaluation.summary), settings.format)) print(terminal, line)
    const answering = system.answers ? answerWarnings(evaluation.summary) : []
    for (const line of [...evaluationWarnings(evaluation), ...answering, ...(judge?.describe() ?? [])])
      say(terminal, line)
    await gate?.close(checks!, evaluation)
  } catch (error) {
    if (signal.aborted) await keepPart(searched, settings.run, traces, terminal)
    else await traces?.keep().catch(() => {})
    throw error
  } finally {
    await traces?.close()
  }
}

/** Keeps the results so far after Ctrl-C, in files ending in `.part`. */
async function keepPart(
  searched: ReadonlyMap<string, readonly Hit[]>,
  run: string | undefined,
  traces: TraceFile | undefined,
  terminal: Terminal,
): Promise<void> {
  say(terminal, `Stopped after ${queryCount(searched.size)}.`)
  if (traces !== undefined) say(terminal, `Their traces are in ${await traces.keep()}.`)
  if (run === undefined || searched.size === 0) return
  const { part, keep } = await partFile(run)
  await writeRun(part, searched)
  say(terminal, `Their hits are in ${await keep()}.`)
}

/** @param several what the systems are made of: every combination is one */
async function compareSystems(
  folder: string,
  settings: Settings,
  several: Pick<SettingsOf<'compare'>, 'policies' | 'reranks' | 'fusions' | 'retrievers'>,
  terminal: Terminal,
): Promise<void> {
  const { metrics, report: page, chatModel = terminal.env.QUERENT_CHAT_MODEL } = settings
  const judge = await answerJudgeOf(settings, terminal)
  // Check everything before the first search: searching may take hours.
  const alone = (['run', 'traces', 'baseline', 'atLeast'] as const).find(
    (name) => settings[name] !== undefined,
  )
  if (alone !== undefined)
    throw new QuerentError('bad-config', `${dashed(alone)} is for one system, and there are several`, {
      remedy: 'Evaluate that system alone.',
    })
  const named = namedVariants({ ...settings, ...several })
  const { systems, same } = await distinctSystems(named.systems, settings)
  const prepared: NamedSystem[] = []
  for (const { name, variant } of systems)
    prepared.push({ name, ...(await prepareSystem(variant, settings, terminal)) })
  const retrievers = several.retrievers && [...new Set(several.retrievers.flat())]
  checkSearched(settings, retrievers)
  metrics?.forEach(parseMetric)
  if (page !== undefined) await checkOutputs({ '--report': page }, [folder, settings.queries, settings.qrels])

  for (const [name, other] of same) say(terminal, `${name} is the same as ${other}: both are searched once.`)
  const explanations = page === undefined ? undefined : collectExplanations()
  const measured = await measure(folder, prepared, settings, retrievers, terminal, {
    judge,
    async onResult(name, qid, result, { index, qrels }) {
      if (explanations === undefined) return
      const hits = await index.withDocuments(result.hits.slice(0, shownHits))
      explanations.add(name, qid, { ...result, hits }, qrels.get(qid)!)
    },
  })
  const { evaluated, files, hasAnswers } = measured
  if (hasAnswers) for (const line of answerWarnings(evaluated[0]!.evaluation.summary)) say(terminal, line)
  const k = hitsAsked(settings.k, metrics)
  const comparison = compare(evaluated, {
    collection: basename(resolve(folder)),
    split: files.split,
    k,
    depth: depthFor(k, settings.depth),
    date: new Date().toISOString().slice(0, 10),
    settings: {
      ...named.shared,
      ...(retrievers === undefined && { retrievers: measured.retrievers.join('+') }),
      ...Object.fromEntries(Array.from(same, ([name, other]) => [name, `the same as ${other}`])),
      ...(prepared.some(({ chat }) => chat !== undefined) && given({ 'chat model': chatModel })),
      ...(judge && hasAnswers && { judge: judge.describe().join(' ') }),
    },
  })
  const more = judge && { json: { judging: judge.judging() }, lines: judge.describe() }
  await showComparison(comparison, settings, { explanations, more }, terminal)
}

interface NamedSystem extends System {
  readonly name: string
}

interface Measuring {
  readonly judge: AnswerJudge | undefined
  readonly gate?: Gate | undefined
  /** Called before the first search. */
  readonly onOpen?: () => Promise<void>
  /** Called after each search, in the order of the queries. */
  readonly onResult: (
    system: string,
    qid: string,
    result: SearchResult,
    over: { readonly index: OpenedIndex; readonly qrels: Qrels },
  ) => Promise<void>
}

/** Evaluates systems on the judged queries of a collection, one after the other. */
async function measure(
  folder: string,
  systems: readonly NamedSystem[],
  settings: Settings,
  retrievers: readonly string[] | undefined,
  terminal: Terminal,
  { judge, gate, onOpen, onResult }: Measuring,
) {
  const { signal } = terminal
  const { concurrency, answer } = settings
  const { queries, qrels, files } = await readJudged(folder, settings, terminal)
  const named = settings.metrics ?? metricsOfClicks(files, terminal)
  const metrics = gate?.metrics(named) ?? named
  const hasAnswers = systems.some(({ answers }) => answers)
  const answers = hasAnswers ? await readAnswers(files.queries, { signal }) : undefined
  const index = await openSettingsIndex(settings, terminal, retrievers)
  const progress = showProgress(terminal)
  const evaluated: EvaluatedSystem[] = []
  try {
    await checkJudged(folder, { queries, qrels }, index, terminal)
    // A cluster has no digest of its documents.
    const { corpus, folder: stored } = index.manifest
    gate?.open({ queries, qrels, corpus: stored === '' ? undefined : corpus })
    await onOpen?.()
    for (const { name, over } of systems) {
      const { optimizer } = await over(index)
      const before = evaluated.length
      const search: Search = (query, options) => optimizer.search(query, { ...options, answer })
      const evaluation = await evaluate(search, queries, qrels, {
        signal,
        k: hitsAsked(settings.k, metrics),
        ...given({ answers, judge: judge?.judge, metrics, concurrency }),
        onResult: (result, qid) => onResult(name, qid, result, { index, qrels }),
        onProgress: (done, total) =>
          progress.update('searching', before * total + done, systems.length * total),
      })
      evaluated.push({ name, evaluation })
    }
    return { evaluated, files, hasAnswers, retrievers: index.retrievers.map(({ name }) => name) }
  } finally {
    progress.stop()
    await index.close()
  }
}
