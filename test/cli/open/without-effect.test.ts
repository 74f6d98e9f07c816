import { describe, expect, it } from 'vitest'
import { policyByName, policyNames } from '../../../policies/by-name.ts'
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

  it('is none of the settings that a policy says it takes', async () => {
    const all = {
      maxSubQueries: 2,
      maxSecondStage: 2,
      effort: 'low',
      withOriginal: true,
      maxRounds: 2,
    } as const
    expect(await said(all, ...policyNames)).toBe('')
  })
})
