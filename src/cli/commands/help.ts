import { QuerentError } from '../../errors.ts'
import { print } from '../output/terminal.ts'
import type { CommandEntry, Run } from '../settings/command.ts'
import { settingsIn } from '../settings/setting.ts'

/** `querent help settings`: every key that is no flag, how its value looks, what it means, and which commands read it. */
export const helpOf =
  (commands: readonly CommandEntry[]): Run<object> =>
  async ([about], _, terminal) => {
    // `runCli` has read `help` alone, and the name of a command, as `--help`.
    if (about !== 'settings')
      throw new QuerentError('bad-config', `There is no help for ${JSON.stringify(about)}`, {
        remedy: 'Name a command, or settings.',
      })
    const readers = new Map<string, string[]>()
    for (const { name, settings } of commands)
      for (const [key, { argument, description, isFlag }] of Object.entries(
        settingsIn((await settings()).groups),
      )) {
        if (isFlag) continue
        const text = `${key}  ${argument === '' ? 'true or false' : argument}\n    ${description}`
        readers.set(text, [...(readers.get(text) ?? []), name])
      }
    for (const [text, names] of [...readers].sort()) print(terminal, `${text} (${names.join(', ')})`)
  }
