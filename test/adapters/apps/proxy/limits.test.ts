import { expect, it } from 'vitest'
import { limitsOf, serverOptions } from '../../../../adapters/apps/proxy/limits.ts'
import { expectError } from '../../../support/expect-error.ts'

it('limits have the defaults that the page says', () => {
  expect(limitsOf({})).toEqual({ most: 2048, grace: 10_000, headersTimeout: 60_000, idleTimeout: 60_000 })
})

it.each([
  { most: 0 },
  { grace: -1 },
  ...[0, -1, 2 ** 31, Number.POSITIVE_INFINITY].map((headersTimeout) => ({ headersTimeout })),
  { idleTimeout: 2 ** 31 },
  { headersTimeout: 1.5 },
])('a wrong limit is refused by its name: %j', (options) => {
  expectError(() => limitsOf(options), 'bad-config', Object.keys(options)[0])
})

it('half a head is gone within 70 seconds by default, and a body may take for ever', () => {
  const { headersTimeout, connectionsCheckingInterval, requestTimeout } = serverOptions(limitsOf({}))
  expect(headersTimeout! + connectionsCheckingInterval!).toBeLessThan(70_000)
  expect(requestTimeout).toBe(0)
})

it('half a head is noticed within a sixtieth of its time', () => {
  expect(serverOptions(limitsOf({ headersTimeout: 6000 }))).toMatchObject({
    headersTimeout: 6000,
    connectionsCheckingInterval: 100,
  })
})
