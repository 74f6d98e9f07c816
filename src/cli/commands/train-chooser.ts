import { writeChooser } from '../../../policies/chooser/chooser-file.ts'
import {
  type RolledOut,
  type TrainedChooser,
  trainChooser,
} from '../../../policies/chooser/training/train-chooser.ts'
import { QuerentError } from '../../errors.ts'
import { readRollouts } from '../../training/rollouts/read-rollouts.ts'
import { readTrainingSplit } from '../open/training-split.ts'
import { count } from '../output/count.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { typedAs } from '../settings/table.ts'

/** `querent train <BEIR folder> --rollouts rollouts.jsonl --out chooser.json` */
export async function trainChooserOf(
  folders: readonly string[],
  settings: SettingsOf<'train'>,
  terminal: Terminal,
): Promise<void> {
  const { signal } = terminal
  const { cost, epochs, seed } = settings
  const [rollouts, out] = [required(settings, 'rollouts'), required(settings, 'out')]
  checkChooserSettings(folders, settings)
  await checkOutputs({ '--out': out }, [...folders, settings.queries, settings.qrels, rollouts])
  const { queries } = await readTrainingSplit(folders[0]!, settings, terminal)
  const texts = new Map(queries.map(({ qid, text }) => [qid, text]))
  const rolledOut: RolledOut[] = []
  let unknown = 0
  for await (const record of readRollouts(rollouts, { signal })) {
    const text = texts.get(record.qid)
    if (text === undefined) unknown++
    else rolledOut.push({ text, record })
  }
  if (rolledOut.length === 0)
    throw new QuerentError('cannot-teach', `${rollouts} has no rollouts of the queries of ${folders[0]}`, {
      remedy: 'Name the folder and the split that were rolled out.',
    })
  const trained = await trainChooser(rolledOut, { cost, epochs, seed, signal })
  await writeChooser(out, trained.chooser)
  const { prompt, choices, queries: learned } = trained.chooser
  if (settings.json)
    printJson(terminal, {
      out,
      prompt,
      choices,
      queries: learned,
      unknown,
      values: Object.fromEntries(trained.values),
    })
  else for (const line of linesOf(out, trained, unknown)) say(terminal, line)
}

function checkChooserSettings(folders: readonly string[], settings: SettingsOf<'train'>): void {
  if (folders.length !== 1)
    throw new QuerentError(
      'bad-config',
      `--rollouts belongs to one collection, but ${folders.length} are named`,
      {
        remedy: 'Name the BEIR folder whose queries were rolled out.',
      },
    )
  const unused = (['index', 'traces', 'tauMax', 'keepHardest', 'decision', 'resume', 'report'] as const).find(
    (name) => settings[name] !== undefined,
  )
  if (unused !== undefined)
    throw new QuerentError('bad-config', `${typedAs(unused)} trains a policy, and --rollouts a chooser`, {
      remedy: `Leave out ${typedAs(unused)}.`,
    })
}

function linesOf(out: string, { chooser, values }: TrainedChooser, unknown: number): string[] {
  const worth = [...values].map(([choice, value]) => `${choice} ${value.toFixed(3)}`)
  return [
    `${out} stands in for ${chooser.prompt}. It learned from ${count(chooser.queries, 'query', 'queries')}.`,
    `Mean value of each choice, less ${chooser.cost} a prompt: ${worth.join(', ')}`,
    ...(unknown > 0
      ? [`Left out the rollouts of ${count(unknown, 'query', 'queries')} that the folder does not have.`]
      : []),
    'Compare it with the choice that is best for all questions, on other queries: `querent compare`.',
  ]
}
