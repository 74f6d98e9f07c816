/** Adds to a command its flags by group, `--set` and `querent.json`, and the examples of its help. */
import { type Command, Option } from 'commander'
import { QuerentError } from '../../errors.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfigFile } from './config-file.ts'
import { engineKey } from './engine-definition.ts'
import type { CommandName } from './of-commands.ts'
import { settingsOfFile, settingsOfFlags, type Values } from './read-settings.ts'
import { type CommandSettings, flagsOf, keyOf, type SettingGroups, settingsIn } from './setting.ts'

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

/** A command of the table in `commands/index.ts`. */
export interface CommandEntry {
  readonly name: CommandName
  /** Name and arguments in commander's syntax: `search <query>`. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The heading of the help under which it stands. */
  readonly group: string
  /** Loads the settings. They must load fast: every help and every check of `querent.json` needs them. */
  readonly settings: () => Promise<CommandSettings>
  /** Loads the command. Only the typed one is loaded: all of them together are 700 modules. */
  readonly run: () => Promise<Run>
}

/** The flags that every command has beside its settings. */
export const commonFlags = [
  { flag: '--set', argument: '<key=value>', description: 'a setting that is no flag, for this run' },
  { flag: '--config', argument: '<file>', description: 'settings in a JSON file (default ./querent.json)' },
  { flag: '--no-config', argument: '', description: 'do not read ./querent.json' },
] as const

/** Adds settings and action to a command. */
export function addSettings(
  command: Command,
  { groups, examples }: CommandSettings,
  run: Run,
  { terminal, allKeys, onFileSettings }: CommandContext,
): void {
  // Several arguments then mean forgotten quotes.
  const isQuery = command.registeredArguments[0]?.name() === 'query'
  const isRepeated = (key: string): boolean => key === 'set' || settingsIn(groups)[key]?.isRepeated === true
  const headed = Object.entries(groups).map(([heading, settings]) => ({
    heading,
    flags: Object.entries(settings).flatMap(([key, setting]) => flagsOf(key, setting)),
  }))
  for (const { heading, flags } of [...headed, { heading: 'Settings, help and files', flags: commonFlags }])
    for (const { flag, argument, description } of flags) {
      const option = new Option(`${flag} ${argument}`.trim(), description).helpGroup(`${heading}:`)
      command.addOption(isRepeated(keyOf(flag)) ? option.argParser(collected) : option)
    }
  command.addHelpOption(new Option('-h, --help', 'print this help').helpGroup('Settings, help and files:'))
  command.addHelpText('after', () =>
    [...keysWithoutFlag(command, groups), ...describeFile(), '', `Examples:${examples}`].join('\n'),
  )
  command.allowExcessArguments(isQuery)
  command.configureOutput({
    outputError: (text, write) =>
      write(settingRemedy(text, groups) ?? (isQuery ? text + dashRemedy(text) : text)),
  })

  command.action(async () => {
    if (command.args.length > 1 && isQuery) throw unquoted(command)
    const { config, set = [] } = command.opts<{ config?: string | false; set?: readonly string[] }>()
    const ofFlags = settingsOfFlags(groups, typedFlags(command))
    const file = readConfigFile(config, terminal.folder) ?? { path: 'querent.json', content: {} }
    const others = await settingsOfFile(groups, file, set, allKeys)
    const written = Object.keys(others).map((key) => (key === 'engines' ? engineKey : key))
    const isTyped = (key: string): boolean =>
      Object.hasOwn(ofFlags, key) || set.some((one) => /^[^.=]+/.exec(one)?.[0] === key)
    const keys = written.filter((key) => !isTyped(key))
    if (keys.length > 0) onFileSettings(`from ${file.path}: ${keys.join(', ')}`)
    await run(command.args, { ...others, ...ofFlags }, terminal)
  })

  /** The settings of the file, for the help. A wrong file does not prevent the help. */
  function describeFile(): string[] {
    try {
      const file = readConfigFile(command.opts<{ config?: string | false }>().config, terminal.folder)
      if (file === undefined) return []
      const own = settingsIn(groups)
      const set = Object.keys(Object(file.content)).filter((key) => Object.hasOwn(own, key))
      return ['', `Set in ${file.path} (flags and --set win): ${set.join(', ')}`]
    } catch (error) {
      return ['', (error as Error).message]
    }
  }
}

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Names the settings that have no flag. */
function keysWithoutFlag(command: Command, groups: SettingGroups): string[] {
  const keys = Object.entries(settingsIn(groups)).flatMap(([name, { isFlag }]) => (isFlag ? [] : [name]))
  if (keys.length === 0) return []
  const lines = command.createHelp().boxWrap(keys.join(' '), 76).split('\n')
  const head = 'Keys of --set and of querent.json (`querent help settings` explains them):'
  return ['', head, ...lines.map((line) => `  ${line}`)]
}

/** The typed flags. Commander adds a default for a flag that can only be negated. */
const typedFlags = (command: Command): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command.opts()).filter(
      ([name]) => name !== 'config' && name !== 'set' && command.getOptionValueSource(name) === 'cli',
    ),
  )

/** What to type for an unknown flag that has the name of a setting. */
function settingRemedy(error: string, groups: SettingGroups): string | undefined {
  const [, flag = ''] = /^error: unknown option '(--[^'=]+)/.exec(error) ?? []
  const setting = settingsIn(groups)[keyOf(flag)]
  if (setting === undefined) return undefined
  const value = flag.startsWith('--no-') ? 'false' : setting.argument === '' ? 'true' : setting.argument
  return `error: ${flag} is a setting. Type --set ${keyOf(flag)}=${value}, or write ${keyOf(flag)} into querent.json.\n`
}

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
