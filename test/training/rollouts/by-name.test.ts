import { expect, it } from 'vitest'
import { rolloutNames, rolloutsNamed } from '../../../src/training/rollouts/by-name.ts'
import type { LeafTools } from '../../../src/training/rollouts/plan.ts'
import type { SearchResult } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'

const asked = { messages: [], input: {}, depth: 0, times: 0 }

it.each(rolloutNames)('%s: a policy of that name, with agents to train', (name) => {
  const { policy } = rolloutsNamed(name)
  expect(policy.name).toBe(name)
  expect(policy.agents!.length).toBeGreaterThan(0)
})

it('passes on what each policy takes', () => {
  expect(rolloutsNamed('acqo', { rewards: { delta: -0.5 } }).failedReward).toBe(-0.5)
  for (const [name, prompt] of [
    ['acqo', 'acqo/rewrite'],
    ['mmoa', 'mmoa/rewrite'],
    ['mao', 'mao/plan'],
  ] as const)
    expect(
      rolloutsNamed(name, { samples: 5 }).branch({ ...asked, prompt, input: { turn: 'question' } }),
    ).toEqual({ samples: 5 })
  for (const name of ['c3po', 'sparkle'])
    expect(rolloutsNamed(name, { maxRounds: 2 }).policy.budget).toMatchObject({ rounds: 2 })
  expect(rolloutsNamed('c3po', { tree: false }).branch({ ...asked, prompt: 'c3po/router' })).toEqual({
    samples: 1,
  })
})

it("passes on SPARKLE's reward and what a search costs that finds nothing new", async () => {
  const settings = { alpha: 1, answerRecall: true, prunePenalty: 0.1, maxSteps: 2 }
  const { leaf, pruneCredit, policy } = rolloutsNamed('sparkle', settings)
  expect(pruneCredit).toEqual({ penalty: 0.1 })
  // 2 prompts, 3 in each of 2 steps, and 1 in each of 5 rounds.
  expect(policy.budget!.asks).toBe(13)
  const documents = [{ docid: 'a', text: 'It is right.' }]
  const path = [{ prompt: 'sparkle/think', input: { documents } }] as unknown as LeafTools['path']
  const tools = { path, signal: new AbortController().signal }
  const answer = { answer: 'wrong' } as SearchResult
  expect(await leaf(answer, { docids: [], answers: ['right'] }, tools)).toBe(1)
  expect(await leaf(answer, { docids: ['b'], answers: ['right'] }, tools)).toBe(0)
  expect(rolloutsNamed('sparkle').pruneCredit).toBeUndefined()
})

it('refuses a policy that cannot be rolled out', () =>
  expectError(() => rolloutsNamed('local'), 'bad-config', 'acqo, mmoa'))
