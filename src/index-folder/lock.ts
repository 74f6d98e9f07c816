/**
 * Allows one build at a time per folder. Each build writes a lock file with its process id and then looks for other lock
 * files. Two builds that start at the same time both see each other, so they can never run together. Lock files of dead
 * processes are removed. Only Linux reports the start time of a process. On other systems, a new process with the same id is
 * mistaken for the old one; the user then has to remove the lock file, as the error message says.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../errors.ts'
import { codeOf, remove } from './disk.ts'
import { shellQuoted } from './shell-quoted.ts'

/**
 * Locks the folder for one build and returns the function that unlocks it.
 *
 * @throws QuerentError `bad-index` if another build is running in the folder
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
 * The start time of a process, which distinguishes it from an earlier process with the same id (in containers, every main
 * process has id 1). Returned as clock ticks since boot, as `unknown` if the system does not report it, or as `undefined` if
 * the process does not exist.
 */
async function startOf(pid: number): Promise<string | undefined> {
  if (!existsSync('/proc/self/stat')) return isRunning(pid) ? 'unknown' : undefined
  // The process name in parentheses may contain anything. After it, the 1st field is the state, the 20th the start time
  // (proc(5)).
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A killed process remains as a zombie until its parent collects its status.
  return fields[0] === 'Z' ? undefined : fields[19]
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}
