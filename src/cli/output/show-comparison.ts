/** What a command that compares leaves behind: its page, its table or JSON, and what is to be said of them. */
import { writeFile } from 'node:fs/promises'
import type { Comparison } from '../../evaluation/comparison.ts'
import type { Explanations } from '../../evaluation/report/explanations.ts'
import { report } from '../../evaluation/report.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { comparisonLines, comparisonWarnings } from './evaluation-table.ts'
import { print, printJson, say, type Terminal } from './terminal.ts'

interface Showing {
  /** For the page, if there is one. */
  readonly explanations?: Explanations | undefined
  /** What the command knows beside the figures, for programs and for people. */
  readonly more?: { readonly json: object; readonly lines: readonly string[] } | undefined
}

export async function showComparison(
  comparison: Comparison,
  { report: page, json, format }: Pick<SettingsOf<'compare'>, 'report' | 'json' | 'format'>,
  { explanations, more }: Showing,
  terminal: Terminal,
): Promise<void> {
  if (page !== undefined) {
    const html = await report(comparison, explanations)
    await writeAtomically(page, (part, flag) => writeFile(part, html, { flag, signal: terminal.signal }))
    say(terminal, `Wrote the report: ${page}`)
  }
  if (json) printJson(terminal, { ...comparison, ...more?.json })
  else for (const line of comparisonLines(comparison, format)) print(terminal, line)
  for (const line of [...comparisonWarnings(comparison), ...(more?.lines ?? [])]) say(terminal, line)
}
