import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockFolder } from '../../src/index-folder/lock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A process that is not there: ids end at 2^22 on Linux. */
const deadLock = '.building-99999999-1234-89abcdef'

/** A folder, and what a lock in it says about this machine and container. */
async function prepared() {
  const folder = await temporaryFolder()
  const release = await lockFolder(folder)
  const [own] = await readdir(folder)
  const here = await readFile(join(folder, own!), 'utf8')
  await release()
  return { folder, here, lock: (name: string, place: string) => writeFile(join(folder, name), place) }
}

it('is there until it is released', async () => {
  const { folder } = await prepared()
  expect(await readdir(folder)).toEqual([])
})

it('ignores the lock of a process that is gone, even of one with the id of this', async () => {
  const { folder, here, lock } = await prepared()
  await lock(deadLock, here)
  // These run, and did not start in the first tick of the machine.
  await lock(`.building-${process.pid}-0-89abcdef`, here)
  await lock('.building-1-deadbeef-deadbeef', here)
  await (await lockFolder(folder))()
  expect(await readdir(folder)).toEqual([])
})

it.each([
  ['another machine', (here: string) => `not-${here}`],
  ['another container of this machine', (here: string) => `${here}0`],
  ['an earlier version, which does not say where it ran', () => ''],
])('respects the lock of a process of %s', async (_name, placeOf) => {
  const { folder, here, lock } = await prepared()
  await lock(deadLock, placeOf(here))
  await expect(lockFolder(folder)).rejects.toMatchObject({
    code: 'bad-index',
    message: expect.stringMatching(/by process 99999999, perhaps on another machine or in a container\. /),
    remedy: expect.stringContaining(`remove ${join(folder, deadLock)}.`),
  })
  expect(await readdir(folder)).toEqual([deadLock])
})

it.runIf(process.platform === 'linux')('says on which machine and in which PID namespace it is', async () => {
  const { here } = await prepared()
  expect(here).toMatch(/^\S+ pid:\[\d+\]$/)
})
