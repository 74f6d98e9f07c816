/** What a store gets to do while it hangs. */
import { expect, it } from 'vitest'
import { sharedStore } from '../../../adapters/cache/shared-store.ts'
import { memoryStore } from '../../../adapters/cache/store.ts'

it('leaves a store that hangs with a bounded number of requests', async () => {
  let asked = 0
  const ask = sharedStore(memoryStore(), 1)
  const hanging = (): Promise<never> => {
    asked++
    return new Promise(() => {})
  }
  const answers = await Promise.all(Array.from({ length: 5100 }, () => ask(hanging)))
  expect(new Set(answers)).toEqual(new Set(['failed']))
  expect(asked).toBe(5000)
})
