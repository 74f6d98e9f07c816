import { describe, expect, it } from 'vitest'
import {
  namedPolicy,
  ownSettings,
  type PolicySettings,
  policyByName,
  policyNames,
} from '../../../policies/by-name.ts'
import { sayWithoutEffect } from '../../../src/cli/open/without-effect.ts'
import { testTerminal } from '../../support/test-terminal.ts'

async function said(
  settings: Parameters<typeof sayWithoutEffect>[0],
  ...names: readonly string[]
): Promise<string> {
  const terminal = testTerminal()
  sayWithoutEffect(settings, await Promise.all(names.map((name) => policyByName(name))), terminal)
  return terminal.errors()
}

describe('a setting of another policy', () => {
  it('is named, with the policies that do not read it', async () => {
    expect(await said({ effort: 'low', maxRounds: 2 }, 'none')).toBe(
      '--effort has no effect with none.\n--max-rounds has no effect with none.\n',
    )
    expect(await said({ template: 'Rewrite {question}', maxSecondStage: 3 }, 'local', 'none')).toBe(
      '--template has no effect with local, none.\n',
    )
  })

  it('is not named if one of the policies reads it, or if it is not given', async () => {
    expect(await said({ effort: 'low', withOriginal: undefined }, 'none', 'local')).toBe('')
    expect(await said({ timeout: 2000, chatTimeout: 500, workers: 2 }, 'none')).toBe('')
  })

  const others = policyNames.filter((name) => !name.startsWith('acqo'))
  it.each(others)('is none of those that %s reads', async (name) => {
    const read = new Set<PropertyKey>()
    const settings = new Proxy<PolicySettings>({}, { get: (_, key) => void read.add(key) })
    const policy = namedPolicy(name, settings)!
    await policy.make([])
    expect(ownSettings.filter((own) => read.has(own)).toSorted()).toEqual(policy.takes.toSorted())
  })

  it('is none of those of acqo, whose one sub-query has no number', () => {
    const [acqo, single] = ['acqo', 'acqo-single'].map((name) => namedPolicy(name)!.takes.toSorted())
    expect(acqo).toEqual(['maxRounds', 'maxSubQueries', 'template', 'withOriginal'])
    expect(single).toEqual(acqo!.filter((own) => own !== 'maxSubQueries'))
  })
})
