import { runCli } from '../../src/cli/run-cli.ts'
import { testTerminal } from './test-terminal.ts'

/** A command as it is typed, and all that it leaves behind at the terminal. */
export async function runToEnd(
  argv: readonly string[],
  options: Parameters<typeof testTerminal>[0] = {},
): Promise<{ readonly status: number; readonly output: string; readonly errors: string }> {
  const terminal = testTerminal(options)
  const status = await runCli(argv, terminal)
  return { status, output: terminal.output(), errors: terminal.errors() }
}
