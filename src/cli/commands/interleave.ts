import { writeFile } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { interleavePage } from '../../evaluation/interleave-page.ts'
import {
  type InterleaveVerdict,
  interleaveVerdict,
  type LoggedPage,
  type Preference,
} from '../../evaluation/interleave-verdict.ts'
import { pEquals, pValue } from '../../evaluation/report/words.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import type { UbiEvent } from '../../training/data/ubi.ts'
import { readClickedHits, readInterleaved } from '../open/interleaved-log.ts'
import { withUbiLogs } from '../open/ubi-logs.ts'
import { kindWords } from '../output/decision.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { type Cell, formatTable, shown } from '../output/table-format.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import { count, percent, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'

type Settings = SettingsOf<'interleave'>

/** `querent interleave report <log> --clicks <file>`, `querent interleave report <log> --engine <kind> --url <url>` */
export const run: Run<Settings> = async ([what, log], settings, terminal) => {
  refuse(what !== 'report', `There is no interleave ${what}`, 'Type: querent interleave report <log>')
  const pages: LoggedPage[] = []
  for await (const page of readInterleaved(log!, terminal)) pages.push(page)
  if (pages.length === 0)
    throw new QuerentError('bad-file', `No page in ${log} is interleaved`, {
      remedy: 'Let querent proxy --interleave write it (--log info), until both lists differ in a search.',
    })
  const { out } = settings
  refuse(out !== undefined && !out.endsWith('.html'), '--out does not end in .html', 'Rename it.')
  await checkOutputs({ '--out': out }, [log!, settings.clicks])
  const verdict = interleaveVerdict(pages, await readClicks(settings, terminal))
  if (out !== undefined) {
    const nameOf = ({ index, decision }: (typeof verdict.groups)[number]) =>
      `${index}, ${kindWords[decision]}`
    const page = interleavePage(verdict, said(verdict), nameOf)
    await writeAtomically(out, (part, flag) => writeFile(part, page, { flag, signal: terminal.signal }))
    say(terminal, `Wrote the report: ${out}`)
  }
  if (settings.json) return printJson(terminal, verdict)
  const columns = ['index', 'decision', 'Querent', 'engine', 'even', 'share', '95 %', 'p', 'missing']
  const rows = verdict.groups.map((group) => [group.index, kindWords[group.decision], ...cellsOf(group)])
  const table = [['all', '', ...cellsOf(verdict.all)], ...rows]
  const { title, lead } = said(verdict)
  print(terminal, `${title}. ${lead}`)
  for (const line of ['', ...formatTable(settings.format ?? 'text', columns, table)]) print(terminal, line)
  if (verdict.uncounted > 0)
    say(
      terminal,
      `Left out ${count(verdict.uncounted, 'click')} on other searches, or on hits of neither list.`,
    )
}

async function readClicks(settings: Settings, terminal: Terminal): Promise<readonly UbiEvent[]> {
  const { clicks: file, engine, actions = ['click'] } = settings
  refuse(
    (file === undefined) === (engine === undefined),
    'The clicks must come from one place',
    'Name a file with --clicks, or --engine and --url of a cluster with User Behavior Insights.',
  )
  const clicks: UbiEvent[] = []
  const read = async (events: AsyncIterable<UbiEvent> | Iterable<UbiEvent>): Promise<void> => {
    for await (const event of events) if (actions.includes(event.action)) clicks.push(event)
  }
  if (engine === undefined) await read(readClickedHits(file!, terminal))
  else {
    const at = { ...settings, engine, url: required(settings, 'url') }
    await withUbiLogs(at, terminal, ({ events }) => read(events))
  }
  return clicks
}

function cellsOf({ querent, engine, even, share, low, high, p, winner, missing }: Preference): Cell[] {
  const counts = [querent, engine, even].map((value) => ({ shown: String(value), exact: value }))
  const parts = [{ shown: percent(share), exact: share }, `${percent(low)} to ${percent(high)}`]
  return [
    ...counts,
    ...parts,
    { shown: pValue(p), exact: p },
    winner === undefined ? wanted(missing) : 'none',
  ]
}

/** The verdict, or how long to wait for it. */
function said({ all: { querent, engine, even, p, winner, missing }, queries, duration }: InterleaveVerdict): {
  readonly title: string
  readonly lead: string
} {
  const decided = querent + engine
  const counts =
    `Of ${queryCount(queries)} with both lists, ${decided + even} have clicks: ` +
    `Querent's hits won ${querent}, the engine's ${engine}.`
  if (winner !== undefined)
    return {
      title: `${winner === 'querent' ? 'Querent' : 'The engine alone'} is better, ${shown(pEquals(p))}`,
      lead: counts,
    }
  const days = ((missing / decided) * duration) / 86_400_000
  const time = days > 0 && days < 1e4 ? `, ${count(Math.ceil(days), 'day')} at this rate` : ''
  const lead = `${counts} It takes about ${wanted(missing)} more that clicks decide${time}.`
  return { title: 'No verdict yet', lead }
}

const wanted = (missing: number): string => (missing < 1e6 ? queryCount(missing) : 'a million queries')
