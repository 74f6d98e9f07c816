import { QuerentError } from '../../errors.ts'
import {
  bashCompletion,
  type CompletedCommand,
  type CompletedFlag,
  fishCompletion,
  zshCompletion,
} from '../output/completion-scripts.ts'
import { print } from '../output/terminal.ts'
import type { CommandEntry, Run } from '../settings/command.ts'
import { flagsOf, settingsIn } from '../settings/setting.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** `querent completion <shell>`, for these commands. */
export const completionOf =
  (commands: readonly CommandEntry[]): Run<object> =>
  async ([shell = ''], _, terminal) => {
    if (!Object.hasOwn(scripts, shell))
      throw new QuerentError('bad-config', `There is no completion for ${JSON.stringify(shell)}`, {
        remedy: `The shells are ${Object.keys(scripts).join(', ')}.`,
      })
    const script = scripts[shell as keyof typeof scripts](await Promise.all(commands.map(completed)))
    print(terminal, script.trimEnd())
  }

async function completed({ name, summary, settings }: CommandEntry): Promise<CompletedCommand> {
  const own = Object.entries(settingsIn((await settings()).groups)).flatMap(([key, one]) => flagsOf(key, one))
  const flags = own.map(({ flag, description, argument }) => ({
    flag,
    description,
    hasValue: argument !== '',
  }))
  return { name, summary, flags: [...flags, ...common] }
}

/** Flags of every command. */
const common: readonly CompletedFlag[] = [
  { flag: '--set', description: 'a setting: key=value', hasValue: true },
  { flag: '--config', description: 'read settings from a JSON file', hasValue: true },
  { flag: '--no-config', description: 'do not read ./querent.json', hasValue: false },
  { flag: '--help', description: 'print this help', hasValue: false },
]
