/** ranx in a virtual environment of the benchmarks' own, made when it is first needed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

export const ranxVersion = '0.3.21'

const cache =
  process.env.QUERENT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'querent')
const environment = join(cache, `bench-ranx-${ranxVersion}`)
const python = join(environment, 'bin', 'python')
const script = join(import.meta.dirname, 'fuse.py')
const patience = 600_000

/** Microseconds a query, ascending. */
export interface RanxTimes {
  readonly threads: number
  readonly single: readonly number[]
  readonly batch: readonly number[]
}

/** Installs ranx where it is not yet. Rejects with what the command that failed has said. */
export async function installRanx(): Promise<void> {
  const done = join(environment, 'installed')
  if (existsSync(done)) return
  await execute('python3', ['-m', 'venv', '--clear', environment])
  await execute(python, ['-m', 'pip', 'install', '--quiet', `ranx==${ranxVersion}`])
  await execute(python, ['-c', `import ranx, pathlib; pathlib.Path(${JSON.stringify(done)}).touch()`])
}

/** Times ranx on runs: qid → docid → score each. One thread, or as many as numba takes by itself. */
export async function timeRanx(
  runs: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[],
  { calls, oneThread }: { readonly calls: number; readonly oneThread: boolean },
): Promise<RanxTimes> {
  const threads = oneThread ? { NUMBA_NUM_THREADS: '1' } : {}
  return JSON.parse(await execute(python, ['-W', 'ignore', script], JSON.stringify({ runs, calls }), threads))
}

async function execute(
  command: string,
  words: readonly string[],
  input = '',
  environmentVariables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(command, words, {
    timeout: patience,
    env: { ...process.env, ...environmentVariables },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  child.stdin.on('error', () => undefined) // It ended before it had read everything: its exit code says so.
  child.stdin.end(input)
  const [output, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  if (code !== 0) throw new Error(`${command} ${words.join(' ')}: exit ${code}\n${complaint.trim()}`)
  return output
}
