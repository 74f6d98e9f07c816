/** `querent export <BEIR folder> --to query-set|judgments --out query-set.json` */
import { basename, resolve } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { readBeir } from '../../evaluation/beir-folder.ts'
import { writeLines } from '../../evaluation/lines.ts'
import { type WorkbenchExport, workbenchDocument, workbenchExports } from '../../training/export/workbench.ts'
import { beirOptions, sayWithoutQuery } from '../open/read-judged.ts'
import { count } from '../output/count.ts'
import { warnBesideSources } from '../output/output-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

export const isWorkbench = (to: string | undefined): to is WorkbenchExport =>
  workbenchExports.some((one) => one === to)

/** What the workbench takes in one query set, unless its administrator sets another limit. */
const maxQueries = 1000

export async function exportWorkbench(
  folder: string,
  to: WorkbenchExport,
  settings: SettingsOf<'export'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const out = required(settings, 'out')
  await checkOutputs({ '--out': out }, [folder, settings.queries, settings.qrels])
  warnBesideSources(out, folder, terminal)
  const collection = await readBeir(folder, beirOptions(settings, terminal))
  sayWithoutQuery(collection, collection.files.queries, terminal)
  const name = `${basename(resolve(folder))} ${collection.files.split}`
  const { body, ...counts } = workbenchDocument(to, collection.queries, collection.qrels, name)
  if (counts.queries === 0)
    throw new QuerentError('bad-file', 'No query can be written', {
      remedy: 'Check that the judgments belong to these queries. The workbench takes no conversations.',
    })
  await writeLines(out, JSON.stringify(body, null, 2).split('\n'), { signal })
  if (settings.json) return printJson(terminal, { out, ...counts })
  const left = [
    ...(counts.conversations > 0 ? [`${counts.conversations} in conversations`] : []),
    ...(counts.refused > 0 ? [`${counts.refused} with text that the workbench refuses`] : []),
  ]
  const leftOut = left.length === 0 ? '' : `, left out ${left.join(' and ')}`
  say(terminal, `${out}: ${count(counts.queries, 'query', 'queries')}${leftOut}`)
  if (to === 'query-set' && counts.queries > maxQueries)
    say(
      terminal,
      `The workbench takes ${maxQueries} queries, unless plugins.search_relevance.query_set.maximum is higher.`,
    )
}
