import { expect, it } from 'vitest'
import { limitsOf, serverOptions } from '../../../../adapters/apps/proxy/limits.ts'
import { expectError } from '../../../support/expect-error.ts'

it('limits have the defaults that the page says', () => {
  expect(limitsOf({})).toEqual({ most: 2048, grace: 10_000, headersTimeout: 60_000, idleTimeout: 60_000 })
})

it.each([
  { most: 0 },
  { grace: -1 },
  { headersTimeout: 0 },
  { idleTimeout: 2 ** 31 },
  { headersTimeout: 1.5 },
])('a wrong limit is refused by its name: %j', (options) => {
  expectError(() => limitsOf(options), 'bad-config', Object.keys(options)[0])
})

it('half a head is noticed within a sixtieth of its time, and a body may take hours', () => {
  expect(serverOptions(limitsOf({ headersTimeout: 6000 }))).toMatchObject({
    headersTimeout: 6000,
    connectionsCheckingInterval: 100,
    requestTimeout: 0,
  })
})
