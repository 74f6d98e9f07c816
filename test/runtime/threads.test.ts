import { afterEach, expect, it } from 'vitest'
// The built module: a thread starts from JavaScript.
import { openThreads, type Threads } from '../../dist/src/runtime/threads.js'
import { expectError } from '../support/expect-error.ts'

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
  for (const one of ended) await expectError(one, 'unavailable')
  expect(await run('again', key)).toBe('echo again')
})

it('does not compute a task that was withdrawn while it waited', async () => {
  const { run } = threads()
  const key = {}
  const [reason, ended] = [new Error('the search has ended'), new AbortController()]
  const [first, withdrawn, second] = [run('a', key), run('b', key, ended.signal), run('c', key)]
  ended.abort(reason)
  await expect(withdrawn).rejects.toBe(reason)
  expect(await Promise.all([first, second, run('count', key)])).toEqual(['echo a', 'echo c', 2])
  await expect(run('d', key, ended.signal)).rejects.toBe(reason)
  expect(await run('count', key)).toBe(2)
})

it('finishes a task that has begun, whatever its signal says', async () => {
  const { run } = threads()
  const ended = new AbortController()
  const begun = run('a', {}, ended.signal)
  ended.abort()
  expect(await begun).toBe('echo a')
})

it('takes the tasks that wait into account where it looks for an idle thread, and not those that were withdrawn', async () => {
  const { run } = threads({ count: 2 })
  const [busy, ended] = [{}, new AbortController()]
  const [first, ...withdrawn] = ['who', 'a', 'b', 'c'].map((task, place) =>
    run(task, busy, place === 0 ? undefined : ended.signal),
  )
  const others = [run('who', {}), run('who', {})]
  ended.abort()
  const last = run('who', {})
  await Promise.all(withdrawn.map((one) => expect(one).rejects.toBe(ended.signal.reason)))
  const [one, other, another] = await Promise.all([first, ...others])
  expect([other, another]).toEqual([other, other])
  expect(other).not.toBe(one)
  expect(await last).toBe(one)
})

it('refuses further tasks where a thousand wait for the thread', async () => {
  const { run } = threads()
  const key = {}
  const taken = Array.from({ length: 1001 }, (_, place) => run(`${place}`, key))
  await expectError(run('one too many', key), 'overloaded')
  expect((await Promise.all(taken)).at(-1)).toBe('echo 1000')
  expect(await run('again', key)).toBe('echo again')
})

it('rejects what cannot be sent to a thread, and goes on with what is behind it', async () => {
  const { run } = threads()
  const key = {}
  const wrong = { name: 'DataCloneError' }
  await expect(run(() => {}, key)).rejects.toMatchObject(wrong)
  const [first, second, third] = [run('a', key), run(() => {}, key), run('b', key)]
  await expect(second).rejects.toMatchObject(wrong)
  expect(await Promise.all([first, third])).toEqual(['echo a', 'echo b'])
})

it('terminates a thread that does not answer in time', async () => {
  const { run } = threads({ timeout: 100 })
  await expectError(run('hang', {}), 'deadline')
})

it('does not restart a thread for a while after three failures in a row', async () => {
  const { run } = threads()
  for (let time = 0; time < 3; time++) await expectError(run('end', {}), 'unavailable')
  await expectError(run('a', {}), 'unavailable', /3 times/)
})

it('rejects at once if the file is missing', async () => {
  const { run, close } = openThreads(new URL('./support/no-such.mjs', import.meta.url), { count: 1, data: 0 })
  await expectError(run('a', {}), 'unavailable')
  await close()
})

it('rejects tasks that wait when it is closed, and those that come after', async () => {
  const { run, close } = threads()
  await run('a', {})
  const unfinished = ['hang', 'behind it'].map((task) => expectError(run(task, {}), 'unavailable', 'ended'))
  await close()
  await Promise.all(unfinished)
  await expectError(run('b', {}), 'unavailable', 'are closed')
})
