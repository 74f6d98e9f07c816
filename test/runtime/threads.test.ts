import { afterEach, expect, it } from 'vitest'
// The built module: a thread starts from JavaScript.
import { openThreads, type Threads } from '../../dist/src/runtime/threads.js'

const file = new URL('../support/echo-thread.mjs', import.meta.url)
const opened: Threads[] = []

function threads(options: { readonly count?: number; readonly timeout?: number } = {}): Threads {
  const made = openThreads(file, { count: 1, data: 'echo', timeout: 60_000, ...options })
  opened.push(made)
  return made
}

afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))))

it("runs tasks with the thread's data, and rethrows their errors", async () => {
  const { run } = threads()
  const key = {}
  expect(await Promise.all([run('a', key), run('b', key)])).toEqual(['echo a', 'echo b'])
  await expect(run('throw', key)).rejects.toThrow('thrown on request')
  expect(await run('c', key)).toBe('echo c')
})

it('runs tasks with the same key in one thread, and others in an idle one', async () => {
  const { run } = threads({ count: 2 })
  const [a, b] = [{}, {}]
  const [first, second] = await Promise.all([run('who', a), run('who', b)])
  expect(first).not.toBe(second)
  expect(await Promise.all([run('who', a), run('who', a), run('who', b)])).toEqual([first, first, second])
})

it('rejects the tasks of a thread that ended, and starts a new one', async () => {
  const { run } = threads()
  const key = {}
  const ended = [run('end', key), run('behind it', key)]
  for (const one of ended) await expect(one).rejects.toMatchObject({ code: 'unavailable' })
  expect(await run('again', key)).toBe('echo again')
})

it('terminates a thread that does not answer in time', async () => {
  const { run } = threads({ timeout: 100 })
  await expect(run('hang', {})).rejects.toMatchObject({ code: 'deadline' })
})

it('does not restart a thread for a while after three failures in a row', async () => {
  const { run } = threads()
  for (let time = 0; time < 3; time++)
    await expect(run('end', {})).rejects.toMatchObject({ code: 'unavailable' })
  await expect(run('a', {})).rejects.toThrow('ended 3 times')
})

it('rejects at once if the file is missing', async () => {
  const { run, close } = openThreads(new URL('./support/no-such.mjs', import.meta.url), { count: 1, data: 0 })
  await expect(run('a', {})).rejects.toMatchObject({ code: 'unavailable' })
  await close()
})

it('rejects tasks after it was closed', async () => {
  const { run, close } = threads()
  await run('a', {})
  await close()
  await expect(run('b', {})).rejects.toThrow('are closed')
})
