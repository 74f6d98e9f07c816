import { expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'

it('querent help is --help, of all commands and of one', async () => {
  expect(await runToEnd(['help'])).toEqual(await runToEnd(['--help']))
  expect(await runToEnd(['help', 'fuse'])).toEqual(await runToEnd(['fuse', '--help']))
})

it('querent help settings has each key that is no flag once, with its meaning and readers', async () => {
  const { status, output } = await runToEnd(['help', 'settings'])
  expect(status).toBe(0)
  expect(output).toMatch(/^prices {2}<prices>\n {4}dollars a million tokens: .* \(.*search, .*proxy.*\)$/m)
  expect(output).not.toMatch(/^policy /m)
  const keys = Array.from(output.matchAll(/^(\w+) /gm), ([, key]) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

it('says what else there is help for', async () => {
  const { status, errors } = await runToEnd(['help', 'cooking'])
  expect([status, errors]).toEqual([2, expect.stringContaining('settings')])
})
