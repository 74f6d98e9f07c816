/**
 * Allows one build at a time per folder. Each build writes a lock file with its process id, touches it while it runs, and looks for
 * other lock files. Two builds that start at the same time both see each other, so they can never run together. Lock files of dead
 * processes are removed. Of processes on other machines and in other containers, only their touch is known here: they count as
 * dead after five minutes without one. Only Linux reports the start time of a process. On other systems, a new process with the
 * same id is mistaken for the old one; the user then has to remove the lock file, as the error message says.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { QuerentError } from '../errors.ts'
import { codeOf, remove } from './disk.ts'
import { shellQuoted } from './shell-quoted.ts'

/** Milliseconds between two touches. A build may hold up its process for much longer than this. */
const touchEvery = 20_000
const deadAfter = 300_000

/**
 * Locks the folder for one build and returns the function that unlocks it.
 *
 * @throws QuerentError `bad-index` if another build is running in the folder
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const here = await placeOfProcesses()
  const name = `.building-${process.pid}-${await startOf(process.pid)}-${randomUUID().slice(0, 8)}`
  const own = join(folder, name)
  let touching: NodeJS.Timeout | undefined
  const release = async (): Promise<void> => {
    clearInterval(touching)
    await remove(own)
  }
  try {
    await writeFile(own, here, { flag: 'wx' })
    for (const file of await readdir(folder)) {
      const match = /^\.building-(\d+)-(\w+)-[0-9a-f]{8}$/.exec(file)
      if (match === null || file === name) continue
      const other = join(folder, file)
      const [, pid, start] = match
      const place = await placeIn(other)
      if (place === undefined) continue
      // An empty one was created a moment ago, by a build that will see this one; or its build was killed in that moment.
      const isHere = place === here || place === ''
      const isAlive = isHere
        ? (await startOf(Number(pid))) === start
        : (await touchedSince(other, own)) < deadAfter
      if (isAlive) throw beingBuilt(folder, pid!, isHere, other)
      await remove(other)
    }
    touching = setInterval(() => void touch(own, here), touchEvery).unref()
    return release
  } catch (error) {
    await release()
    throw error
  }
}

function beingBuilt(folder: string, pid: string, isHere: boolean, lock: string): QuerentError {
  const elsewhere = isHere ? '' : ', perhaps on another machine or in another container'
  const until = isHere ? '' : ' If it was killed, wait five minutes.'
  return new QuerentError(
    'bad-index',
    `Another index is being built in ${folder} by process ${pid}${elsewhere}`,
    {
      remedy: `Wait for it, or choose another folder.${until} If that process is no build, remove ${shellQuoted(lock)}.`,
    },
  )
}

/** Writes what is there, so that the clock of the file system says when: clocks of machines differ. */
async function touch(lock: string, content: string): Promise<void> {
  try {
    const handle = await open(lock, 'r+')
    await handle.write(content, 0).finally(() => handle.close())
  } catch {
    // It is gone, or its disk is. The build finds that out by itself.
  }
}

/** Milliseconds from the last touch of a lock to that of one's own, which is new. */
async function touchedSince(lock: string, own: string): Promise<number> {
  const [other, now] = await Promise.all([lock, own].map((path) => stat(path).catch(() => undefined)))
  return other === undefined || now === undefined ? 0 : now.mtimeMs - other.mtimeMs
}

/** Where process ids mean the same: the machine, and on Linux the PID namespace, which each container has of its own. */
async function placeOfProcesses(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => 'all processes')
  return `${hostname()} ${namespace}`
}

/** The place that a lock names; empty if it names none, `undefined` if it is gone. */
const placeIn = (lock: string): Promise<string | undefined> =>
  readFile(lock, 'utf8').catch((error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : ''))

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
