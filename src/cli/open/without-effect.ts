/** Says which settings do nothing, since they belong to another policy. */
import { type NamedPolicy, ownSettings, type PolicySettings } from '../../../policies/by-name.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { flagOf } from '../settings/setting.ts'

/** @param policies all that the command searches with */
export function sayWithoutEffect(
  settings: PolicySettings,
  policies: readonly Pick<NamedPolicy, 'name' | 'takes'>[],
  terminal: Terminal,
): void {
  const names = [...new Set(policies.map(({ name }) => name))].join(', ')
  for (const own of ownSettings)
    if (settings[own] !== undefined && !policies.some(({ takes }) => takes.includes(own)))
      say(terminal, `${flagOf(own)} has no effect with ${names}.`)
}
