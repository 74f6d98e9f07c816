/** `querent export <BEIR folder> --to verl --out train.json`, or of `--rollouts` */
import { basename, resolve } from 'node:path'
import { createService } from '../../../adapters/apps/reward-server/service.ts'
import { checkedZone } from '../../../policies/acqo/rewards.ts'
import { QuerentError } from '../../errors.ts'
import { writeLines } from '../../evaluation/lines.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import { readTraces } from '../../training/data/read-traces.ts'
import { lookUpGolds } from '../../training/data/relevant-docs.ts'
import { examplesOf } from '../../training/export/examples.ts'
import { checkExport, type Example, formats, sft, sftRow } from '../../training/export/formats.ts'
import { rejectionSample } from '../../training/export/rejection.ts'
import { checkRolloutExport, rolloutRows } from '../../training/export/rollout-rows.ts'
import { type Selection, selectExamples } from '../../training/export/select-examples.ts'
import { type WorkbenchExport, workbenchDocument, workbenchExports } from '../../training/export/workbench.ts'
import { readRollouts } from '../../training/rollouts/read-rollouts.ts'
import type { Qrels } from '../../types.ts'
import { openSettingsIndex } from '../open/build-search.ts'
import { readSplit, readTrainingSplit, sayWithoutQuery } from '../open/judged.ts'
import { rewardOptionsOf } from '../open/rollout-models.ts'
import { readTemplate } from '../open/setting-files.ts'
import { checkOut } from '../output/output-paths.ts'
import { say, type Terminal, tell } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, refuse, required } from '../settings/setting.ts'

type Settings = SettingsOf<'export'>

export const run: Run<Settings> = async ([folder], settings, terminal) => {
  const [to, out] = [required(settings, 'to'), required(settings, 'out')]
  const { rollouts, queries, qrels, traces } = settings
  if (rollouts !== undefined) {
    const remedy =
      'Leave out --set tauMax, --set tauMin and --set keepHardest, or name a collection and --traces.'
    refuse(isFiltered(settings), 'Rollouts are not filtered by tau', remedy)
    return exportRollouts(rollouts, { to, out, settings }, terminal)
  }
  refuse(
    folder === undefined,
    'Neither a collection nor --rollouts is named',
    'Name the folder of a collection in the layout of BEIR, or a file of `querent rollouts`.',
  )
  const workbench = workbenchExports.find((one) => one === to)
  if (workbench === undefined) {
    checkExport(to, out)
    refuse(
      to === 'gepa' && settings.template !== undefined,
      'GEPA improves the prompt itself, so an export to it has no --template',
      'Leave it out.',
    )
    checkFilter(settings)
    if (needsAnswers(settings)) for (const name of ['index', 'traces'] as const) required(settings, name)
  }
  const template = await readTemplate(settings.template)
  await checkOut(out, folder!, [queries, qrels, traces], terminal)
  if (workbench !== undefined) await exportToWorkbench(folder!, workbench, settings, terminal)
  else await exportQueries(folder!, { to, out, template, settings }, terminal)
}

interface Wanted {
  readonly to: string
  readonly out: string
  readonly settings: Settings
}

/** Remedies if no row of rollouts is left to write. */
const noRows: Readonly<Record<string, string>> = {
  sft: 'No answer is good enough, or --set agents names none that learned. Use a better model, or lower --set threshold.',
  preferences:
    'No two completions differ enough, or --set agents names none. Sample more, or lower --set margin.',
  steps: 'Check --set agents, and that the rollouts have leaves.',
}

/** `querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl` */
async function exportRollouts(
  rollouts: string,
  { to, out, settings }: Wanted,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  checkRolloutExport(to)
  await checkOut(out, undefined, [rollouts], terminal)
  const counts = { queries: 0, rows: 0 }
  async function* lines(): AsyncGenerator<string> {
    for await (const record of readRollouts(rollouts, { signal })) {
      counts.queries++
      for (const row of rolloutRows(to, record, settings)) {
        counts.rows++
        yield JSON.stringify(row)
      }
    }
    if (counts.rows > 0) return
    throw new QuerentError('bad-file', `Nothing to write, of ${queryCount(counts.queries)}`, {
      remedy: noRows[to]!,
    })
  }
  await writeLines(out, lines(), { signal })
  const what = `${count(counts.rows, 'row')} of ${queryCount(counts.queries)}`
  tell(terminal, settings, { out, ...counts }, [`${out}: ${what}`])
}

/** What the workbench takes in one query set, unless its administrator sets another limit. */
const maxQueries = 1000

/** `querent export <BEIR folder> --to query-set|judgments --out query-set.json` */
async function exportToWorkbench(
  folder: string,
  to: WorkbenchExport,
  settings: Settings,
  terminal: Terminal,
): Promise<void> {
  const out = required(settings, 'out')
  const collection = await readSplit(folder, settings, terminal)
  const { queries, qrels, files } = collection
  sayWithoutQuery(collection, files.queries, terminal)
  const name = `${basename(resolve(folder))} ${files.split}`
  const { body, ...counts } = workbenchDocument(to, queries, qrels, name)
  if (counts.queries === 0)
    throw new QuerentError('bad-file', 'No query can be written', {
      remedy: 'Check that the judgments belong to these queries. The workbench takes no conversations.',
    })
  await writeLines(out, JSON.stringify(body, null, 2).split('\n'), { signal: terminal.signal })
  const left = [
    ...(counts.conversations > 0 ? [`${counts.conversations} in conversations`] : []),
    ...(counts.refused > 0 ? [`${counts.refused} with text that the workbench refuses`] : []),
  ]
  const leftOut = left.length === 0 ? '' : `, left out ${left.join(' and ')}`
  tell(terminal, settings, { out, ...counts }, [`${out}: ${queryCount(counts.queries)}${leftOut}`])
  const limit = 'unless plugins.search_relevance.query_set.maximum is higher'
  if (!settings.json && to === 'query-set' && counts.queries > maxQueries)
    say(terminal, `The workbench takes ${maxQueries} queries, ${limit}.`)
}

async function exportQueries(
  folder: string,
  { to, out, template, settings }: Wanted & { readonly template: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const { maxSubQueries, golds: withGolds } = settings
  const { queries, qrels, files } = await readTrainingSplit(folder, settings, terminal)
  const index = await openExportIndex(settings, terminal)
  try {
    const { examples: all, ...left } = examplesOf(queries, qrels, {
      collection: basename(resolve(folder)),
      split: files.split,
      ...given({ maxSubQueries, withGolds, template }),
      ...(index && { indexed: (await lookUpGolds(index.documents, qrels, signal)).indexed }),
    })
    const select = isFiltered(settings) ? selected(all, index!, settings, qrels, signal) : { examples: all }
    const { examples, ...dropped }: Selected = await select
    const { rows, ...sampled } =
      to === sft
        ? await imitations(examples, index!, settings, qrels, signal)
        : { rows: examples.map(formats[to]!.row) }
    const counts = { rows: rows.length, ...left, ...dropped, ...sampled }
    if (rows.length === 0)
      throw new QuerentError('bad-file', `Nothing to write: ${describeCounts(counts)}`, {
        remedy: remedyFor(all.length, examples.length, counts),
      })
    const lines = rows.map((row) => JSON.stringify(row))
    await writeLines(out, lines, { signal })
    tell(terminal, settings, { out, ...counts }, [`${out}: ${describeCounts(counts)}`])
  } finally {
    await index?.close()
  }
}

/** Rewards need retrievers. To know which documents the index has, its documents suffice. */
async function openExportIndex(settings: Settings, terminal: Terminal): Promise<OpenedIndex | undefined> {
  const { index, retrievers } = settings
  if (index === undefined) return undefined
  return needsAnswers(settings)
    ? openSettingsIndex(settings, terminal, retrievers)
    : openIndex(index, { retrievers: [] })
}

/** Whether ACQO's data filter is on. */
const isFiltered = ({ tauMin, tauMax, keepHardest }: Settings): boolean =>
  (tauMin ?? tauMax ?? keepHardest) !== undefined

/** Whether the export needs recorded answers, and an index to price them. */
const needsAnswers = (settings: Settings): boolean => settings.to === sft || isFiltered(settings)

/** @throws QuerentError `bad-config` for a lower bound above the upper one */
const checkFilter = ({ tauMin = Number.NEGATIVE_INFINITY, tauMax }: Settings): void =>
  refuse(
    tauMin > (tauMax ?? checkedZone({}).tauMax),
    '--set tauMin is above --set tauMax',
    'No query has such a tau. Set a higher --set tauMax, which is 5/3 where it is not given.',
  )

/** The examples that the filter left, if there is one, and how many it did not. */
type Selected = Pick<Selection, 'examples'> & Partial<Selection>

/** The examples that the filter keeps. */
function selected(
  examples: readonly Example[],
  index: OpenedIndex,
  settings: Settings,
  qrels: Qrels,
  signal: AbortSignal,
): Promise<Selection> {
  const { tauMin, tauMax, keepHardest: retain, traces } = settings
  const hasZone = (tauMin ?? tauMax) !== undefined
  return selectExamples(examples, readTraces(traces!, { signal }), {
    ...{ scorer: scorerOf(index, settings, qrels), retain, signal },
    ...(hasZone && { zone: given({ tauMin, tauMax }) }),
  })
}

const scorerOf = (index: OpenedIndex, settings: Settings, qrels: Qrels) => {
  const { maxSubQueries } = settings
  return createService({ index, qrels, defaults: rewardOptionsOf(settings), ...given({ maxSubQueries }) })
    .scorer
}

/** The best recorded answers, as chats, and how many answers were recorded. */
async function imitations(
  examples: readonly Example[],
  index: OpenedIndex,
  settings: Settings,
  qrels: Qrels,
  signal: AbortSignal,
) {
  const { threshold, traces } = settings
  const { kept, answers, malformed } = await rejectionSample(readTraces(traces!, { signal }), {
    scorer: scorerOf(index, settings, qrels),
    qids: new Set(examples.map(({ qid }) => qid)),
    signal,
    ...given({ threshold }),
  })
  const rows = examples.flatMap((example) => {
    const completion = kept.get(example.qid)
    return completion === undefined ? [] : [sftRow(example, completion)]
  })
  return { rows, answers, malformed }
}

/** What to do if no row is left to write. */
function remedyFor(
  all: number,
  kept: number,
  { unmeasured, answers }: { readonly unmeasured?: number; readonly answers?: number },
): string {
  if (all === 0) return 'Check that the judgments belong to these queries and to the index.'
  if (unmeasured === all || answers === 0)
    return 'The traces have no model answers to these queries. Record some: run `querent evaluate` on the same split with --policy acqo and --traces.'
  if (kept === 0)
    return 'The model has mastered these queries: set a higher --set tauMax, or train on others.'
  return 'No answer is well-formed and earns enough. Use a better model, or lower --set threshold.'
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  const leftOut = {
    unjudged: 'without relevant documents',
    unreachable: 'whose relevant documents are not in the index',
    unmeasured: 'without recorded answers',
    filtered: 'by difficulty',
  }
  const { rows = 0, answers = 0, malformed = 0 } = counts
  return [
    count(rows, 'row'),
    ...Object.entries(leftOut).flatMap(([name, why]) =>
      (counts[name] ?? 0) > 0 ? [`left out ${queryCount(counts[name]!)} ${why}`] : [],
    ),
    ...(answers > 0 ? [count(answers, 'recorded answer')] : []),
    ...(malformed > 0 ? [`${malformed} of them malformed`] : []),
  ].join(', ')
}
