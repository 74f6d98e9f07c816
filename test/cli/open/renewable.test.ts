import { expect, it } from 'vitest'
import { renewable } from '../../../src/cli/open/renewable.ts'
import { settled } from '../../support/manual-clock.ts'

/** Resources by number, which open when they are told to, and say when they are closed. */
function shelf(closing: () => Promise<void> = async () => {}) {
  const said: string[] = []
  const waiting: Deferred[] = []
  let count = 0
  const make = () => {
    const name = String(++count)
    return {
      name,
      async close() {
        said.push(`closed ${name}`)
        await closing()
      },
    }
  }
  const held = renewable({
    first: make(),
    async open() {
      const turn = deferred()
      waiting.push(turn)
      await turn.promise
      return make()
    },
    onError: ({ message }) => said.push(message),
  })
  const name = () => held.use(async (resource) => resource.name)
  return { ...held, name, said, waiting }
}

interface Deferred {
  readonly promise: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
}

function deferred(): Deferred {
  let resolve: () => void = () => {}
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise<void>((settle, fail) => {
    resolve = settle
    reject = fail
  })
  return { promise, resolve, reject }
}

it('uses the old one until the new one is open, and closes it when its last user is done', async () => {
  const { use, renew, name, said, waiting } = shelf()
  const work = deferred()
  const using = use(async (resource) => {
    await work.promise
    return resource.name
  })
  const renewing = renew()
  expect(await name()).toBe('1')
  waiting[0]!.resolve()
  await renewing
  expect([await name(), said]).toEqual(['2', []])
  work.resolve()
  expect([await using, said]).toEqual(['1', ['closed 1']])
})

it('keeps the old one where the new one cannot be opened', async () => {
  const { renew, name, said, waiting } = shelf()
  const renewing = renew()
  waiting[0]!.reject(new Error('cut'))
  await expect(renewing).rejects.toThrow('cut')
  expect([await name(), said]).toEqual(['1', []])
  const again = renew()
  waiting[1]!.resolve()
  await again
  expect([await name(), said]).toEqual(['2', ['closed 1']])
})

it('opens one at a time, and one more for all that ask meanwhile', async () => {
  const { renew, name, waiting } = shelf()
  const all = Promise.all([renew(), renew(), renew()])
  await settled()
  expect(waiting).toHaveLength(1)
  waiting[0]!.resolve()
  await settled()
  expect(waiting).toHaveLength(2)
  waiting[1]!.resolve()
  await all
  expect([await name(), waiting.length]).toEqual(['3', 2])
})

it('closes all, one that is being opened among them, and opens no more', async () => {
  const { use, renew, close, said, waiting } = shelf()
  void use(() => new Promise(() => {}))
  const renewing = renew()
  const closing = close()
  waiting[0]!.resolve()
  await Promise.all([renewing, closing])
  expect(said).toEqual(['closed 1', 'closed 2'])
  await renew()
  expect(waiting).toHaveLength(1)
  await expect(use(async () => {})).rejects.toThrow('closed')
})

it('has closed all when it tells that one could not be closed', async () => {
  const stuck = async () => {
    throw new Error('stuck')
  }
  const { use, renew, close, said, waiting } = shelf(stuck)
  void use(() => new Promise(() => {}))
  const renewing = renew()
  const closing = expect(close())
    .rejects.toThrow('stuck')
    .then(() => said.push('told'))
  await settled()
  waiting[0]!.resolve()
  await Promise.all([renewing, closing])
  expect(said).toEqual(['closed 1', 'closed 2', 'stuck', 'told'])
})

it('says what could not be closed to nobody who searches', async () => {
  const { renew, name, said, waiting } = shelf(async () => {
    throw new Error('stuck')
  })
  const renewing = renew()
  waiting[0]!.resolve()
  await renewing
  expect(await name()).toBe('2')
  expect(said).toEqual(['closed 1', 'stuck'])
})
