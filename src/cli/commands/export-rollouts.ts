import { QuerentError } from '../../errors.ts'
import { writeLines } from '../../evaluation/lines.ts'
import { checkRolloutExport, rolloutRows } from '../../training/export/rollout-rows.ts'
import { readRollouts } from '../../training/rollouts/read-rollouts.ts'
import { count } from '../output/count.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** `querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl` */
export async function exportRollouts(settings: SettingsOf<'export'>, terminal: Terminal): Promise<void> {
  const { signal } = terminal
  const rollouts = required(settings, 'rollouts')
  const to = required(settings, 'to')
  const out = required(settings, 'out')
  checkRolloutExport(to)
  await checkOutputs({ '--out': out }, [rollouts])
  const counts = { queries: 0, rows: 0 }

  async function* lines(): AsyncGenerator<string> {
    for await (const record of readRollouts(rollouts, { signal })) {
      counts.queries++
      for (const row of rolloutRows(to, record, settings)) {
        counts.rows++
        yield JSON.stringify(row)
      }
    }
    if (counts.rows === 0)
      throw new QuerentError(
        'bad-file',
        `Nothing to write, of ${count(counts.queries, 'query', 'queries')}`,
        { remedy: noRows[to]! },
      )
  }
  await writeLines(out, lines(), { signal })
  if (settings.json) printJson(terminal, { out, ...counts })
  else say(terminal, `${out}: ${count(counts.rows, 'row')} of ${count(counts.queries, 'query', 'queries')}`)
}

/** Remedies if no row is left to write. */
const noRows: Readonly<Record<string, string>> = {
  sft: 'No answer is good enough, or --set agents names none that learned. Use a better model, or lower --set threshold.',
  preferences:
    'No two completions differ enough, or --set agents names none. Sample more, or lower --set margin.',
  steps: 'Check --set agents, and that the rollouts have leaves.',
}
