import { expect, it } from 'vitest'
import { rolloutNames, rolloutsNamed } from '../../../src/training/rollouts/by-name.ts'

const asked = { messages: [], input: {}, depth: 0, times: 0 }

it.each(rolloutNames)('%s: a policy of that name, with agents to train', (name) => {
  const { policy } = rolloutsNamed(name)
  expect(policy.name).toBe(name)
  expect(policy.agents!.length).toBeGreaterThan(0)
})

it('passes on what each policy takes', () => {
  for (const [name, prompt] of [
    ['acqo', 'acqo/rewrite'],
    ['mmoa', 'mmoa/rewrite'],
  ] as const)
    expect(rolloutsNamed(name, { samples: 5 }).branch({ ...asked, prompt })).toEqual({ samples: 5 })
  for (const name of ['c3po', 'sparkle'])
    expect(rolloutsNamed(name, { maxRounds: 2 }).policy.budget).toMatchObject({ rounds: 2 })
  expect(rolloutsNamed('c3po', { tree: false }).branch({ ...asked, prompt: 'c3po/router' })).toEqual({
    samples: 1,
  })
})

it('refuses a policy that cannot be rolled out', () =>
  expect(() => rolloutsNamed('local')).toThrow(
    expect.objectContaining({ code: 'bad-config', message: expect.stringContaining('acqo, mmoa') }),
  ))
