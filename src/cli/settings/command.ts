/** What the commands have in common: flags from the table of settings, `--config`, examples in the help. */
import type { Command } from 'commander'
import { Option } from 'commander'
import {
  describeSetting,
  isNegatable,
  isRepeatable,
  type SettingName,
  type Settings,
  settingsOfFile,
  settingsOfFlags,
} from './settings.ts'

export interface CommandDefinition {
  readonly settings: readonly SettingName[]
  /** What can be typed, each with what it does. */
  readonly examples: readonly (readonly [command: string, meaning: string])[]
  /** Runs it. `positionals` are the arguments, where one may be repeated in one array. */
  readonly run: (positionals: readonly (string | readonly string[])[], settings: Settings) => Promise<void>
}

/** The settings of every command that searches. */
export const searchSettings = [
  'index',
  'k',
  'model',
  'fusion',
  'norm',
  'depth',
  'withOriginal',
  'maxSubQueries',
  'maxSecondStage',
  'chatUrl',
  'chatModel',
  'chatRetries',
  'chatTimeout',
  'legTimeout',
  'timeout',
  'split',
  'rerank',
] as const satisfies readonly SettingName[]

/** Adds what can be typed, and what it does, to a command. */
export function addSettings(command: Command, { settings, examples, run }: CommandDefinition): void {
  for (const name of settings) {
    const { flags, description } = describeSetting(name)
    const option = new Option(flags, description)
    if (isRepeatable(name))
      option.argParser((value, before?: readonly string[]) => [...(before ?? []), value])
    command.addOption(option)
    if (isNegatable(name)) command.addOption(new Option(`--no-${name}`).hideHelp())
  }
  command.option('--config <file>', 'a JSON file with any of the settings, in camel case; flags win')
  command.addHelpText(
    'after',
    `\nExamples:\n${examples.map(([typed, meaning]) => `  $ ${typed}\n      ${meaning}`).join('\n')}`,
  )
  command.action(async (...received: unknown[]) => {
    // Commander passes the arguments, then the options, then the command itself.
    const positionals = received.slice(0, -2) as (string | string[])[]
    const { config, ...flags } = command.opts()
    const ofFlags = settingsOfFlags(flags)
    const ofFile = typeof config === 'string' ? await settingsOfFile(config) : {}
    await run(positionals, { ...ofFile, ...ofFlags })
  })
}
