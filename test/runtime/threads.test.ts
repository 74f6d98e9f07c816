import { afterEach, expect, it } from 'vitest'
// As it was built: threads are started from JavaScript.
import { openThreads, type Threads } from '../../dist/src/runtime/threads.js'

const file = new URL('../support/echo-thread.mjs', import.meta.url)
const opened: Threads[] = []

function threads(options: { readonly count?: number; readonly timeout?: number } = {}): Threads {
  const made = openThreads(file, { count: 1, data: 'told', timeout: 60_000, ...options })
  opened.push(made)
  return made
}

afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))))

it('runs tasks with the data that the thread was given, and passes on what they throw', async () => {
  const { run } = threads()
  const key = {}
  expect(await Promise.all([run('a', key), run('b', key)])).toEqual(['told a', 'told b'])
  await expect(run('throw', key)).rejects.toThrow('It was told to')
  expect(await run('c', key)).toBe('told c')
})

it('keeps tasks of one key in one thread, and others apart while it is busy', async () => {
  const { run } = threads({ count: 2 })
  const [a, b] = [{}, {}]
  const [first, second] = await Promise.all([run('who', a), run('who', b)])
  expect(first).not.toBe(second)
  expect(await Promise.all([run('who', a), run('who', a), run('who', b)])).toEqual([first, first, second])
})

it('starts another thread where one ended, whose tasks fail', async () => {
  const { run } = threads()
  const key = {}
  const ended = [run('end', key), run('behind it', key)]
  for (const one of ended) await expect(one).rejects.toMatchObject({ code: 'unavailable' })
  expect(await run('again', key)).toBe('told again')
})

it('ends a thread that does not answer in time', async () => {
  const { run } = threads({ timeout: 100 })
  await expect(run('hang', {})).rejects.toMatchObject({ code: 'deadline' })
})

it('gives up for a while where threads end before they answer anything', async () => {
  const { run } = threads()
  for (let time = 0; time < 3; time++)
    await expect(run('end', {})).rejects.toMatchObject({ code: 'unavailable' })
  await expect(run('a', {})).rejects.toThrow('ended 3 times')
})

it('fails at once where the file is missing', async () => {
  const { run, close } = openThreads(new URL('./support/no-such.mjs', import.meta.url), { count: 1, data: 0 })
  await expect(run('a', {})).rejects.toMatchObject({ code: 'unavailable' })
  await close()
})

it('takes no tasks when it is closed', async () => {
  const { run, close } = threads()
  await run('a', {})
  await close()
  await expect(run('b', {})).rejects.toThrow('were closed')
})
