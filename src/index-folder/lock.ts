/**
 * One build at a time in a folder. Each builder puts down a file that names its process and then looks for others, so
 * two that start together both see each other and neither can miss the other. Files of processes that are gone are
 * removed; nothing has to be cleaned up by hand after a crash.
 */
import { randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../errors.ts'
import { codeOf, remove } from './disk.ts'

/** Tells this process from an earlier one with the same id: in containers, every process has id 1. */
const thisProcess = `${process.pid}-${randomUUID().slice(0, 8)}`

/**
 * Takes the folder for one build and gives the function that releases it.
 *
 * @throws QuerentError `bad-index` where another build that is still running has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const own = `.building-${thisProcess}-${randomUUID().slice(0, 8)}`
  const release = () => remove(join(folder, own))
  await writeFile(join(folder, own), '', { flag: 'wx' })
  for (const file of await readdir(folder)) {
    const match = /^\.building-((\d+)-[0-9a-f]{8})-[0-9a-f]{8}$/.exec(file)
    if (match === null || file === own) continue
    const [, builder, pid] = match
    if (builder === thisProcess || (Number(pid) !== process.pid && isRunning(Number(pid)))) {
      await release()
      throw new QuerentError('bad-index', `Another index is being built in ${folder} by process ${pid}`, {
        remedy: `Wait for it, or choose another folder. If that process is no build, remove ${join(folder, file)}.`,
      })
    }
    await remove(join(folder, file))
  }
  return release
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
