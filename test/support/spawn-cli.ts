import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))

/** `querent` with these arguments, as a process of its own. Throws where it has not been built. */
export function spawnCli(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): ChildProcessWithoutNullStreams {
  if (!existsSync(main)) throw new Error(`${main} is missing: run \`npm run build\` first`)
  const { PATH, HOME, QUERENT_CACHE, XDG_CACHE_HOME } = process.env
  // Whatever chat server this machine has configured is none of the test's business.
  return spawn(process.execPath, [main, ...argv], {
    env: defined({ PATH, HOME, QUERENT_CACHE, XDG_CACHE_HOME, ...env }),
    cwd,
  })
}

/** What a process came to: its status, or the signal that ended it. */
export interface Ended {
  readonly status: number | string
  readonly output: string
  readonly errors: string
}

/** Waits until a process has ended. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const texts = { output: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.errors += text))
  const [code, signal] = await once(child, 'close')
  return { status: code ?? signal, ...texts }
}

/** Runs `querent` to its end. */
export function runCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return ended(spawnCli(argv, env))
}

function defined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
