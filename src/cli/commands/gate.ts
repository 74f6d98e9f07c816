/** `--baseline` and `--at-least` of `querent evaluate`: what one system reaches must hold, or the command ends with 3. */
import { AssertionError } from 'node:assert'
import { writeFile } from 'node:fs/promises'
import { answerMetrics } from '../../evaluation/answer-metrics.ts'
import {
  baselineOf,
  checkSameData,
  type JudgedData,
  type Measured,
  readBaseline,
  writeBaseline,
} from '../../evaluation/baseline.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { type Check, checkColumns, checkRows, checksOf, failuresOf } from '../../evaluation/gate.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { writeAtomically } from '../../runtime/atomic-file.ts'
import { junit } from '../output/junit.ts'
import { formatTable } from '../output/table-format.ts'
import { print, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse } from '../settings/setting.ts'

type Settings = Pick<
  SettingsOf<'evaluate'>,
  'baseline' | 'tolerance' | 'updateBaseline' | 'atLeast' | 'metrics' | 'report' | 'format' | 'json'
>

export interface Gate {
  /** What to measure: what is named, else what the baseline has or is usual; and all that has a limit. */
  metrics(named: readonly string[] | undefined): string[]
  /** What it writes, by flag. */
  readonly outputs: Readonly<Record<string, string | undefined>>
  /** Called before the first search. @throws QuerentError `bad-config` if the baseline is of other data */
  open(data: JudgedData): void
  checksOf(measured: Measured): readonly Check[]
  /** Prints the checks, and writes what was asked for. @throws AssertionError if a metric is too low: exit status 3 */
  close(checks: readonly Check[], measured: Measured): Promise<void>
}

/** `undefined` if nothing has a limit. @throws QuerentError as `readBaseline` does; `bad-config` */
export async function openGate(settings: Settings, terminal: Terminal): Promise<Gate | undefined> {
  const { baseline: path, tolerance, updateBaseline, atLeast, report } = settings
  const { signal } = terminal
  const hasLimits = (path ?? atLeast) !== undefined
  refuse(
    report !== undefined && !(hasLimits && report.endsWith('.xml')),
    '--report compares several systems, and there is one',
    'Name several --policies, --fusions or --reranks; or --baseline or --at-least, and a file that ends in .xml.',
  )
  refuse(
    path === undefined && (updateBaseline === true || tolerance !== undefined),
    `${updateBaseline ? '--update-baseline' : '--tolerance'} is for a --baseline`,
    'Name its file.',
  )
  if (!hasLimits) return undefined
  const known =
    path === undefined
      ? undefined
      : await readBaseline(path, { signal }).catch((error: unknown) => {
          // What is not there, or not readable, is written anew.
          if (updateBaseline && !signal.aborted) return undefined
          throw error
        })
  const baseline = updateBaseline ? undefined : known
  const limited = [...Object.keys(known?.values ?? {}), ...Object.keys(atLeast ?? {})].filter(
    (metric) => ![...answerMetrics, 'judge'].includes(metric),
  )
  limited.forEach(parseMetric)
  let corpus: string | undefined
  return {
    metrics: (named = known === undefined ? defaultMetrics : []) => [...new Set([...named, ...limited])],
    outputs: { '--report': report, '--baseline': updateBaseline ? path : undefined },
    open(data) {
      if (baseline !== undefined) checkSameData(baseline, data)
      corpus = data.corpus
    },
    checksOf: (measured) => checksOf(measured, { baseline, tolerance, atLeast }),
    async close(checks, measured) {
      const { json, format = 'text' } = settings
      if (!json && checks.length > 0)
        for (const line of ['', ...formatTable(format, checkColumns, checkRows(checks))])
          print(terminal, line)
      if (report !== undefined)
        await writeAtomically(report, (part, flag) => writeFile(part, junit(checks), { flag, signal }))
      const failures = failuresOf(checks)
      if (failures.length > 0)
        throw new AssertionError({
          message: `${failures.join('; ')}. If that is meant, lower the floor, or add --update-baseline.`,
        })
      if (path === undefined || !updateBaseline) return
      await writeBaseline(path, baselineOf(measured, corpus), { signal })
      say(terminal, `Wrote the baseline: ${path}`)
    },
  }
}
