import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { buildIndex } from '../../src/index-folder/build.ts'
import { watchIndex } from '../../src/index-folder/watch.ts'
import { manualClock, settled } from '../support/manual-clock.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** An index that is watched; `looked` lets a second pass and waits for the look. */
async function watched() {
  const folder = await temporaryFolder()
  const build = async () =>
    (await buildIndex([{ docid: 'a', text: 'one' }], { out: folder })).manifest.generation
  const clock = manualClock()
  const state = { generation: await build(), replaced: 0 }
  const stop = watchIndex(folder, {
    generation: () => state.generation,
    onReplaced: () => state.replaced++,
    clock,
  })
  onTestFinished(stop)
  async function looked(): Promise<number> {
    await clock.advance(1000)
    while (clock.waiting === 0) await settled()
    return state.replaced
  }
  return { folder, build, clock, state, stop, looked }
}

it('notices each generation that is not the one that is open, once', async () => {
  const { build, state, looked } = await watched()
  expect([await looked(), await looked()]).toEqual([0, 0])
  const generation = await build()
  expect([await looked(), await looked()]).toEqual([1, 1])
  state.generation = generation
  state.generation = await build()
  expect(await looked()).toBe(1)
})

it('notices a manifest that cannot be read, once, and none that is gone', async () => {
  const { folder, looked } = await watched()
  const path = join(folder, 'index.json')
  await rename(path, join(folder, 'away.json'))
  expect(await looked()).toBe(0)
  await writeFile(path, '{')
  expect([await looked(), await looked()]).toEqual([1, 1])
  await rm(path)
  expect(await looked()).toBe(1)
})

it('looks no more when it is over', async () => {
  const { build, clock, state, stop } = await watched()
  await build()
  stop()
  await clock.advance(5000)
  expect([clock.waiting, state.replaced]).toEqual([0, 0])
})
