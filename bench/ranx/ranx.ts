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

/** Installs ranx where it is not yet. Rejects with what the command that failed has said. */
export async function installRanx(): Promise<void> {
  const done = join(environment, 'installed')
  if (existsSync(done)) return
  await execute('python3', ['-m', 'venv', '--clear', environment])
  await execute(python, ['-m', 'pip', 'install', '--quiet', `ranx==${ranxVersion}`])
  await execute(python, ['-c', `import ranx, pathlib; pathlib.Path(${JSON.stringify(done)}).touch()`])
}

/** The milliseconds of so many calls on runs: qid → docid → score each. */
export async function timeRanx(
  runs: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[],
  calls: number,
): Promise<number[]> {
  const answer = await execute(python, ['-W', 'ignore', script], JSON.stringify({ runs, calls }))
  return (JSON.parse(answer) as number[]).map((microseconds) => microseconds / 1000)
}

async function execute(command: string, words: readonly string[], input = ''): Promise<string> {
  const child = spawn(command, words, { timeout: 600_000, stdio: ['pipe', 'pipe', 'pipe'] })
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
