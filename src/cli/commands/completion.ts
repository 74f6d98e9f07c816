import { QuerentError } from '../../errors.ts'
import {
  bashCompletion,
  type CompletedCommand,
  type CompletedFlag,
  fishCompletion,
  zshCompletion,
} from '../output/completion-scripts.ts'
import { print } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import { type CommandSettings, flagOf, type Setting, settingsIn } from '../settings/setting.ts'

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }

/** A command of the table, as far as completion needs it. */
interface Listed {
  readonly usage: string
  readonly summary: string
  readonly settings: () => Promise<CommandSettings>
}

/** `querent completion <shell>`, for these commands. */
export const completionOf =
  (commands: readonly Listed[]): Run<object> =>
  async ([shell = ''], _, terminal) => {
    if (!Object.hasOwn(scripts, shell))
      throw new QuerentError('bad-config', `There is no completion for ${JSON.stringify(shell)}`, {
        remedy: `The shells are ${Object.keys(scripts).join(', ')}.`,
      })
    const script = scripts[shell as keyof typeof scripts](await Promise.all(commands.map(completed)))
    print(terminal, script.trimEnd())
  }

async function completed({ usage, summary, settings }: Listed): Promise<CompletedCommand> {
  const { groups } = await settings()
  const own = Object.entries(settingsIn(groups)).flatMap(([name, one]) => flagsOf(name, one))
  return { name: usage.split(' ')[0]!, summary, flags: [...own, ...common] }
}

function flagsOf(name: string, { description, negation, argument }: Setting): CompletedFlag[] {
  const flag = flagOf(name)
  return [
    ...(description === undefined ? [] : [{ flag, description, hasValue: argument !== '' }]),
    ...(negation === undefined
      ? []
      : [{ flag: `--no-${flag.slice(2)}`, description: negation, hasValue: false }]),
  ]
}

/** Flags of every command. */
const common: readonly CompletedFlag[] = [
  { flag: '--config', description: 'read settings from a JSON file', hasValue: true },
  { flag: '--no-config', description: 'do not read ./querent.json', hasValue: false },
  { flag: '--help', description: 'print this help', hasValue: false },
]
