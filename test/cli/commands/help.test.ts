import { expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/index.ts'
import { flagsOf, settingsIn } from '../../../src/cli/settings/setting.ts'
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

it('there are few flags: what does not change between two runs is a setting', async () => {
  const flags = new Set<string>()
  for (const { settings } of commands)
    for (const [key, setting] of Object.entries(settingsIn((await settings()).groups)))
      for (const { flag } of flagsOf(key, setting)) flags.add(flag)
  expect(flags.size).toBeLessThanOrEqual(75) // and --set, --config, --no-config and --help
})
