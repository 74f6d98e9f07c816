/** Adds to a command its flags by group, `querent.json`, and the examples of its help. */
import { type Command, Option } from 'commander'
import { QuerentError } from '../../errors.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfigFile } from './config-file.ts'
import { engineKey } from './engine-definition.ts'
import { settingsOfFile, settingsOfFlags, type Values } from './read-settings.ts'
import { type CommandSettings, flagOf, type Setting, settingsIn } from './setting.ts'

export interface CommandContext {
  readonly terminal: Terminal
  /** The keys of all commands. */
  readonly allKeys: () => Promise<ReadonlySet<string>>
  /** Called with a line that names the settings from the file. */
  readonly onFileSettings: (line: string) => void
}

/** Runs a command. `args` are the arguments that are not flags. */
export type Run<Settings = Values> = (
  args: readonly string[],
  settings: Settings,
  terminal: Terminal,
) => Promise<void>

/** Adds settings and action to a command. */
export function addSettings(
  command: Command,
  { groups, examples, isQuery = false }: CommandSettings,
  run: Run,
  { terminal, allKeys, onFileSettings }: CommandContext,
): void {
  for (const [heading, settings] of Object.entries(groups)) {
    for (const [name, setting] of Object.entries(settings))
      for (const option of optionsOf(name, setting)) command.addOption(option.helpGroup(`${heading}:`))
  }
  command.optionsGroup('Help and files:')
  command.option('--config <file>', 'settings in a JSON file (default ./querent.json)')
  command.option('--no-config', 'do not read ./querent.json')
  command.helpOption('-h, --help', 'print this help')
  command.addHelpText('after', () =>
    [...describeFile(), '', 'Examples:', ...examples.flatMap(describeExample)].join('\n'),
  )
  command.allowExcessArguments(isQuery)
  if (isQuery) command.configureOutput({ outputError: (text, write) => write(text + dashRemedy(text)) })

  command.action(async () => {
    if (command.args.length > 1 && isQuery) throw unquoted(command)
    const ofFlags = settingsOfFlags(groups, typedFlags(command))
    const file = readConfigFile(namedFile(command), terminal.folder)
    const ofFile = file === undefined ? {} : await settingsOfFile(groups, file, allKeys)
    const used = Object.keys(ofFile).filter((key) => !Object.hasOwn(ofFlags, key))
    const keys = used.map((key) => (key === 'engines' ? engineKey : key))
    if (keys.length > 0) onFileSettings(`from ${file?.path}: ${keys.join(', ')}`)
    await run(command.args, { ...ofFile, ...ofFlags }, terminal)
  })

  /** The settings of the file, for the help. A wrong file does not prevent the help. */
  function describeFile(): string[] {
    try {
      const file = readConfigFile(namedFile(command), terminal.folder)
      if (file === undefined) return []
      const own = settingsIn(groups)
      const set = Object.keys(Object(file.content)).filter((key) => Object.hasOwn(own, key))
      return ['', `Set in ${file.path} (flags win): ${set.map(flagOf).join(', ')}`]
    } catch (error) {
      return ['', (error as Error).message]
    }
  }
}

function optionsOf(name: string, { argument, description, negation, isRepeated = false }: Setting): Option[] {
  const flag = flagOf(name)
  const options: Option[] = []
  if (description !== undefined) {
    const option = new Option(argument === '' ? flag : `${flag} ${argument}`, description)
    if (isRepeated) option.argParser((value, before?: readonly string[]) => [...(before ?? []), value])
    options.push(option)
  }
  if (negation !== undefined) options.push(new Option(`--no-${flag.slice(2)}`, negation))
  return options
}

/** The typed flags. Commander adds a default for a flag that can only be negated. */
const typedFlags = (command: Command): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command.opts()).filter(
      ([name]) => name !== 'config' && command.getOptionValueSource(name) === 'cli',
    ),
  )

const namedFile = (command: Command): string | false | undefined =>
  command.opts<{ config?: string | false }>().config

const describeExample = ([typed, meaning]: CommandSettings['examples'][number]): string[] => [
  `  $ ${typed}`,
  `      ${meaning}`,
]

/** What to do about an unknown option that may be a query. */
const dashRemedy = (error: string): string =>
  error.startsWith('error: unknown option') ? 'A query that begins with - goes after --, at the end.\n' : ''

/** Without quotes, the shell splits a query into several arguments, with flags anywhere among them. */
function unquoted(command: Command): QuerentError {
  const words = command.args.map((word) => word.replaceAll('"', '\\"')).join(' ')
  return new QuerentError('bad-config', `The query came as ${command.args.length} separate words`, {
    remedy: `Quote it: querent ${command.name()} "${words}" …`,
  })
}
