/**
 * One build at a time in a folder. Each builder puts down a file that names its process and then looks for others, so
 * two that start together both see each other and neither can miss the other. Files of processes that are gone are
 * removed. Where a process's start cannot be known (anywhere but on Linux), a later one with the same id is taken for it,
 * and the file has to be removed by hand: the message says so.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../errors.ts'
import { codeOf, remove } from './disk.ts'
import { shellQuoted } from './shell-quoted.ts'

/**
 * Takes the folder for one build and gives the function that releases it.
 *
 * @throws QuerentError `bad-index` where another build that is still running has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const own = `.building-${process.pid}-${await startOf(process.pid)}-${randomUUID().slice(0, 8)}`
  const release = () => remove(join(folder, own))
  await writeFile(join(folder, own), '', { flag: 'wx' })
  for (const file of await readdir(folder)) {
    const match = /^\.building-(\d+)-(\w+)-[0-9a-f]{8}$/.exec(file)
    if (match === null || file === own) continue
    const [, pid, start] = match
    if ((await startOf(Number(pid))) === start) {
      await release()
      throw new QuerentError('bad-index', `Another index is being built in ${folder} by process ${pid}`, {
        remedy:
          'Wait for it, or choose another folder. ' +
          `If that process is no build, remove ${shellQuoted(join(folder, file))}.`,
      })
    }
    await remove(join(folder, file))
  }
  return release
}

/**
 * When a process started, which tells it from an earlier one with the same id (in containers, every process has id 1):
 * ticks since the machine started, `unknown` where that cannot be found out, `undefined` where there is no such process.
 */
async function startOf(pid: number): Promise<string | undefined> {
  if (!existsSync('/proc/self/stat')) return isRunning(pid) ? 'unknown' : undefined
  // The name in parentheses may hold anything. Of the fields after it the 1st is the state, the 20th the start (proc(5)).
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A process that was killed stays, as a zombie, until its parent looks.
  return fields[0] === 'Z' ? undefined : fields[19]
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, and belongs to somebody else.
    return codeOf(error) === 'EPERM'
  }
}
