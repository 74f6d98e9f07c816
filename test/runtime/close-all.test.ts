import { expect, it } from 'vitest'
import { closeAll } from '../../src/runtime/close-all.ts'
import { settled } from '../support/manual-clock.ts'

it('closes all at once, waits for each, and then tells the first error in their order', async () => {
  const events: string[] = []
  const slow = {
    async close() {
      events.push('slow begins')
      await settled()
      events.push('slow ends')
      throw new Error('slow')
    },
  }
  const quick = {
    async close() {
      events.push('quick')
      throw new Error('quick')
    },
  }
  const atOnce = {
    close(): Promise<void> {
      throw new Error('at once')
    },
  }
  await expect(closeAll([undefined, {}, slow, quick, atOnce])).rejects.toThrow('slow')
  expect(events).toEqual(['slow begins', 'quick', 'slow ends'])
  await closeAll([undefined, {}])
})
