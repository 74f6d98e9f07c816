import { writeFile } from 'node:fs/promises'
import { readShadowLog, type ShadowSummary } from '../../evaluation/shadow-log.ts'
import {
  shadowChange,
  shadowColumns,
  shadowFinding,
  shadowNote,
  shadowPage,
  shadowTables,
} from '../../evaluation/shadow-report.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { formatTable, inMarkdown } from '../output/table-format.ts'
import { print, printJson, say } from '../output/terminal.ts'
import { clip } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse } from '../settings/setting.ts'

/** `querent shadow report querent-shadow.jsonl` */
export const run: Run<SettingsOf<'shadow'>> = async ([action, log = ''], { out, json }, terminal) => {
  const { signal } = terminal
  refuse(action !== 'report', `There is no shadow ${action}`, 'Type: querent shadow report <log>')
  refuse(
    out !== undefined && !/\.(?:html|md)$/.test(out),
    '--out ends in neither .html nor .md',
    'Rename it.',
  )
  await checkOutputs({ '--out': out }, [log])
  const summary = await readShadowLog(log, { signal })
  if (out !== undefined) {
    const text = out.endsWith('.md') ? `${linesOf(summary, 'markdown').join('\n')}\n` : shadowPage(summary)
    await writeAtomically(out, (part, flag) => writeFile(part, text, { flag, signal }))
    say(terminal, `Wrote the report: ${out}`)
  }
  if (json === true) printJson(terminal, summary)
  else if (out === undefined) for (const line of linesOf(summary, 'text')) print(terminal, line)
}

function linesOf(summary: ShadowSummary, format: 'text' | 'markdown'): readonly string[] {
  const { title, lead } = shadowFinding(summary)
  const isMarkdown = format === 'markdown'
  const shown = (text: string): string => (isMarkdown ? inMarkdown(clip(text)) : clip(text))
  const head = (text: string): string[] => (isMarkdown ? ['', `## ${text}`, ''] : ['', text])
  const tables = shadowTables(summary).flatMap(({ title, rows }) => [
    ...head(title),
    ...formatTable(format, ['', ...shadowColumns], rows),
  ])
  const changes = summary.most
    .map(shadowChange)
    .flatMap(({ name, about, moved, titleOf }, place) => [
      `${place + 1}. ${shown(name)} (${shown(about)})`,
      ...moved.map(
        ({ docid, before = 'not found', now = 'not found' }) =>
          `    - ${shown(titleOf(docid))}: ${before} → ${now}`,
      ),
    ])
  const lines = [
    ...[isMarkdown ? `# ${title}` : title, ''],
    ...lead.flatMap((line) => (isMarkdown ? [line, ''] : [line])),
    ...tables,
    ...['', shadowNote],
    ...head('The searches that would change most: ranks without Querent → with it'),
    ...changes,
  ]
  return lines.map((line) => line.replaceAll('\u00a0', ' '))
}
