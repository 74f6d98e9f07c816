import { AssertionError } from 'node:assert'
import { Command, CommanderError, Option } from 'commander'
import { isQuerentError, toError } from '../errors.ts'
import { version } from '../index-folder/version.ts'
import { forTerminal } from '../text/controls.ts'
import { commands } from './commands/index.ts'
import { say, type Terminal } from './output/terminal.ts'

/** Exit statuses. Users' scripts rely on them. */
const exit = { done: 0, failed: 1, usage: 2, belowLimit: 3, interrupted: 130 } as const

/**
 * Runs `querent` with these arguments. Returns the exit status: 0, 1 (failed), 2 (wrong usage), 3 (measured below a
 * limit) or 130 (interrupted). Never throws.
 */
export async function runCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  let fileSettings: string | undefined
  try {
    const asked = withoutHelp(argv)
    const program = await newProgram(asked, terminal, (line) => {
      fileSettings = line
    })
    await program.parseAsync(asked, { from: 'user' })
    return exit.done
  } catch (thrown) {
    // Commander has printed what is wrong with the arguments, or the help.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exit.done : exit.usage
    if (terminal.signal.aborted) {
      say(terminal, 'querent: stopped')
      return exit.interrupted
    }
    for (const line of describe(toError(thrown))) say(terminal, line)
    if (fileSettings !== undefined) say(terminal, `  ${fileSettings}`)
    if (thrown instanceof AssertionError) return exit.belowLimit
    const isUsage = isQuerentError(thrown, 'bad-config') || isQuerentError(thrown, 'bad-weights')
    return isUsage ? exit.usage : exit.failed
  }
}

/** `help` and `help <command>` are the same as `--help`. */
function withoutHelp(argv: readonly string[]): readonly string[] {
  const [first, about, ...rest] = argv
  if (first !== 'help' || rest.length > 0 || about === 'settings') return argv
  if (about === undefined) return ['--help']
  return commands.some(({ name }) => name === about) ? [about, '--help'] : argv
}

/** The program with all commands. Only the typed command is loaded. */
async function newProgram(
  argv: readonly string[],
  terminal: Terminal,
  onFileSettings: (line: string) => void,
): Promise<Command> {
  const program = new Command('querent')
    .usage('<command>, as in: querent search "who wrote it" --index my-index')
    .version(version)
    .helpCommand(false)
    // Everybody knows both flags, and the help must fit one screen.
    .addHelpOption(new Option('-h, --help').hideHelp())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(forTerminal(text)),
      writeErr: (text) => terminal.stderr.write(forTerminal(text)),
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(--help lists the options)')
  program.options.find(({ long }) => long === '--version')?.hideHelp()
  const typed = argv.find((argument) => !argument.startsWith('-'))
  for (const { usage, summary, group, settings, run } of commands) {
    const command = program.command(usage).description(summary).helpGroup(group)
    if (command.name() !== typed) continue
    const { addSettings } = await import('./settings/command.ts')
    addSettings(command, await settings(), async (...given) => (await run())(...given), {
      terminal,
      allKeys,
      onFileSettings,
    })
  }
  return program
}

/** The keys of the settings of all commands. */
async function allKeys(): Promise<ReadonlySet<string>> {
  const { settingsIn } = await import('./settings/setting.ts')
  const all = await Promise.all(commands.map(({ settings }) => settings()))
  return new Set(all.flatMap(({ groups }) => Object.keys(settingsIn(groups))))
}

/** The message, then the messages of its causes. */
function describe(error: Error): string[] {
  const lines = [`querent: ${error.message}`]
  for (let cause = error.cause; cause instanceof Error && lines.length < 5; cause = cause.cause)
    lines.push(`  caused by: ${cause.message}`)
  return lines
}
