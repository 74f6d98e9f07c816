import { basename, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { writeLines } from '../../evaluation/lines.ts'
import { type OpenedIndex, openIndex } from '../../index-folder/open.ts'
import { lookUpGolds } from '../../training/data/relevant-docs.ts'
import { type ExampleOptions, examplesOf } from '../../training/export/examples.ts'
import { checkExport, formats, sft } from '../../training/export/formats.ts'
import type { Selection } from '../../training/export/select-examples.ts'
import { openSettingsIndex } from '../open/build-search.ts'
import { rewardOptionsOf } from '../open/reward-options.ts'
import { readTemplate } from '../open/setting-files.ts'
import { readTrainingSplit } from '../open/training-split.ts'
import { sayIgnored } from '../open/without-effect.ts'
import { count } from '../output/count.ts'
import { warnBesideSources } from '../output/output-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import {
  type Answering,
  type Chosen,
  checkFilter,
  imitate,
  isFiltered,
  needsAnswers,
  select,
} from './export-answers.ts'
import { exportRollouts } from './export-rollouts.ts'
import { withoutEffect } from './export-without-effect.ts'
import { exportWorkbench, isWorkbench } from './export-workbench.ts'

/** `querent export <BEIR folder> --to verl --out train.json` */
export const runExport: Run<SettingsOf<'export'>> = async ([folder], settings, terminal) => {
  const { names, why } = withoutEffect(settings)
  sayIgnored(settings, names, why, terminal)
  if (settings.rollouts !== undefined) {
    if (isFiltered(settings))
      throw new QuerentError('bad-config', 'Rollouts are not filtered by tau', {
        remedy:
          'Leave out --set tauMax, --set tauMin and --set keepHardest, or name a collection and --traces.',
      })
    return exportRollouts(settings, terminal)
  }
  if (folder === undefined)
    throw new QuerentError('bad-config', 'Neither a collection nor --rollouts is named', {
      remedy: 'Name the folder of a collection in the layout of BEIR, or a file of `querent rollouts`.',
    })
  if (isWorkbench(settings.to)) await exportWorkbench(folder, settings.to, settings, terminal)
  else await exportQueries(folder, settings, terminal)
}

async function exportQueries(
  folder: string,
  settings: SettingsOf<'export'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const [to, out] = [required(settings, 'to'), required(settings, 'out')]
  checkExport(to, out)
  checkFilter(settings)
  if (needsAnswers(settings)) for (const name of ['index', 'traces'] as const) required(settings, name)
  const defaults = rewardOptionsOf(settings)
  const template = await readTemplate(settings.template)
  await checkOutputs({ '--out': out }, [folder, settings.queries, settings.qrels, settings.traces])
  warnBesideSources(out, folder, terminal)

  const { queries, qrels, files } = await readTrainingSplit(folder, settings, terminal)
  const index = await openExportIndex(settings, terminal)
  try {
    const options: ExampleOptions = {
      collection: basename(resolve(folder)),
      split: files.split,
      ...(settings.maxSubQueries !== undefined && { maxSubQueries: settings.maxSubQueries }),
      ...(settings.golds !== undefined && { withGolds: settings.golds }),
      ...(template !== undefined && { template }),
      ...(index && { indexed: (await lookUpGolds(index.documents, qrels, signal)).indexed }),
    }
    const { examples: all, ...left } = examplesOf(queries, qrels, options)
    const using: Answering = { settings, qrels, defaults, signal }
    const { examples, ...dropped }: Selected = isFiltered(settings)
      ? await select(all, index!, using)
      : { examples: all }
    const { rows, ...sampled }: Chosen =
      to === sft ? await imitate(examples, index!, using) : { rows: examples.map(formats[to]!.row) }
    const counts = { rows: rows.length, ...left, ...dropped, ...sampled }
    if (rows.length === 0)
      throw new QuerentError('bad-file', `Nothing to write: ${describeCounts(counts)}`, {
        remedy:
          all.length === 0
            ? noQueries
            : dropped.unmeasured === all.length || sampled.answers === 0
              ? noAnswers
              : examples.length === 0
                ? noneLeft
                : noGoodAnswers,
      })
    await writeLines(
      out,
      rows.map((row) => JSON.stringify(row)),
      { signal },
    )
    if (settings.json) printJson(terminal, { out, ...counts })
    else say(terminal, `${out}: ${describeCounts(counts)}`)
  } finally {
    await index?.close()
  }
}

/** Rewards need retrievers. To know which documents the index has, its documents suffice. */
async function openExportIndex(
  settings: SettingsOf<'export'>,
  terminal: Terminal,
): Promise<OpenedIndex | undefined> {
  if (settings.index === undefined) return undefined
  if (!needsAnswers(settings)) return openIndex(required(settings, 'index'), { retrievers: [] })
  return openSettingsIndex(settings, terminal, settings.retrievers)
}

/** The examples that the filter left, if there is one, and how many it did not. */
type Selected = Pick<Selection, 'examples'> & Partial<Selection>

/** Remedies if no row is left to write. */
const noQueries = 'Check that the judgments belong to these queries and to the index.'
const noAnswers =
  'The traces have no model answers to these queries. Record some: run `querent evaluate` on the same split ' +
  'with --policy acqo and --traces.'
const noneLeft = 'The model has mastered these queries: set a higher --set tauMax, or train on others.'
const noGoodAnswers =
  'No answer is well-formed and earns enough. Use a better model, or lower --set threshold.'

const queryCount = (number: number): string => count(number, 'query', 'queries')

function describeCounts(counts: Readonly<Record<string, number>>): string {
  const { rows = 0, unjudged = 0, unreachable = 0, unmeasured = 0, filtered = 0 } = counts
  const { answers = 0, malformed = 0 } = counts
  return [
    count(rows, 'row'),
    ...(unjudged > 0 ? [`left out ${queryCount(unjudged)} without relevant documents`] : []),
    ...(unreachable > 0
      ? [`left out ${queryCount(unreachable)} whose relevant documents are not in the index`]
      : []),
    ...(unmeasured > 0 ? [`left out ${queryCount(unmeasured)} without recorded answers`] : []),
    ...(filtered > 0 ? [`left out ${queryCount(filtered)} by difficulty`] : []),
    ...(answers > 0 ? [count(answers, 'recorded answer')] : []),
    ...(malformed > 0 ? [`${malformed} of them malformed`] : []),
  ].join(', ')
}
