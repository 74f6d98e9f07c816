import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { lockFolder } from '../../src/index-folder/lock.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A process that is not there: ids end at 2^22 on Linux. */
const deadLock = '.building-99999999-89abcdef'

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

it('ignores the lock of a process that is gone', async () => {
  const { folder, here, lock } = await prepared()
  await lock(deadLock, here)
  // Killed between making its lock and writing it.
  await lock('.building-99999999-00000000', '')
  await (await lockFolder(folder))()
  expect(await readdir(folder)).toEqual([])
})

it.each([
  ['another machine', (here: string) => `not-${here}`],
  ['another container of this machine', (here: string) => `${here}0`],
])('respects the lock of a process of %s', async (_name, placeOf) => {
  const { folder, here, lock } = await prepared()
  await lock(deadLock, placeOf(here))
  await expectError(lockFolder(folder), 'bad-index', /99999999/)
  expect(await readdir(folder)).toEqual([deadLock])
})

it.each([
  ['of another place', deadLock, (here: string) => `not-${here}`],
  ['whose process id runs', `.building-${process.pid}-89abcdef`, (here: string) => here],
])('takes a lock %s for dead once nobody has touched it for five minutes', async (_name, old, placeOf) => {
  const { folder, here, lock } = await prepared()
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  await lock(old, placeOf(here))
  await utimes(join(folder, old), minutesAgo(4), minutesAgo(4))
  await expectError(lockFolder(folder), 'bad-index')
  await utimes(join(folder, old), minutesAgo(6), minutesAgo(6))
  await (await lockFolder(folder))()
  expect(await readdir(folder)).toEqual([])
})

it('is touched as long as it is held', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { folder, here } = await prepared()
  const release = await lockFolder(folder)
  const [own] = (await readdir(folder)).map((file) => join(folder, file))
  await utimes(own!, new Date(0), new Date(0))
  vi.advanceTimersByTime(20_000)
  await vi.waitFor(async () => expect((await stat(own!)).mtimeMs).toBeGreaterThan(0))
  expect(await readFile(own!, 'utf8')).toBe(here)
  await release()
  expect(vi.getTimerCount()).toBe(0)
})

it.runIf(process.platform === 'linux')('says on which machine and in which PID namespace it is', async () => {
  const { here } = await prepared()
  expect(here).toMatch(/^\S+ pid:\[\d+\]$/)
})
