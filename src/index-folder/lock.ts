/**
 * Allows one build at a time per folder. Each build writes a lock file with its process id, touches it while it runs, and looks for
 * other lock files. Two builds that start at the same time both see each other, so they can never run together. Lock files of dead
 * processes are removed: at once if the process was of this machine and container, otherwise, or if another process has its id now,
 * after five minutes without a touch.
 */
import { randomUUID } from 'node:crypto'
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
  const name = `.building-${process.pid}-${randomUUID().slice(0, 8)}`
  const own = join(folder, name)
  let touching: NodeJS.Timeout | undefined
  const release = async (): Promise<void> => {
    clearInterval(touching)
    await remove(own)
  }
  try {
    await writeFile(own, here, { flag: 'wx' })
    for (const file of await readdir(folder)) {
      const match = /^\.building-(\d+)-[0-9a-f]{8}$/.exec(file)
      if (match === null || file === name) continue
      const other = join(folder, file)
      const pid = match[1]!
      const place = await placeIn(other)
      if (place === undefined) continue
      // An empty one was created a moment ago, by a build that will see this one; or its build was killed in that moment.
      const isHere = place === here || place === ''
      const isAlive = (!isHere || isRunning(Number(pid))) && (await touchedSince(other, own)) < deadAfter
      if (isAlive) throw beingBuilt(folder, pid, isHere, other)
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
  return new QuerentError(
    'bad-index',
    `Another index is being built in ${folder} by process ${pid}${elsewhere}`,
    {
      remedy: `Wait for it, or choose another folder. If it was killed, wait five minutes, or remove ${shellQuoted(lock)}.`,
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

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}
