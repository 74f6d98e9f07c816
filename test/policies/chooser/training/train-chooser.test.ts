import { describe, expect, it } from 'vitest'
import { prepareChooser } from '../../../../policies/chooser/chooser.ts'
import {
  type ChooserOptions,
  type RolledOut,
  trainChooser,
} from '../../../../policies/chooser/training/train-chooser.ts'
import { expectError } from '../../../support/expect-error.ts'
import { rolloutsOf } from '../../../support/rollout-records.ts'

const names = ['Dune', 'Emma', 'Ulysses', 'Dracula', 'Middlemarch', 'Walden', 'Ivanhoe', 'Beloved']
const [learned, held] = [names.slice(0, 6), names.slice(6)]
const plain = (of: readonly string[]): string[] =>
  of.flatMap((name) => [`who wrote ${name}`, `when was ${name} published`])
const chains = (of: readonly string[]): string[] =>
  of.flatMap((name) => [
    `Who is the mother of the author of ${name}?`,
    `Where was the spouse of the publisher of ${name} born?`,
  ])

/** One search answers a plain question with three prompts; a plan answers each question with eight. */
const rolledOut = (text: string, isPlain: boolean): RolledOut => {
  const below = (parent: number, count: number, reward: number) =>
    Array.from({ length: count }, (_, place) => ({
      parent: place === 0 ? parent : parent + place,
      prompt: 'another',
      completion: String(place),
      ...(place === count - 1 && { reward }),
    }))
  const router = { parent: 0, prompt: 'c3po/router', agent: 'c3po/router' }
  const searched = isPlain ? 1 : 0
  return {
    text,
    record: rolloutsOf(text, [
      { ...router, completion: `[Retrieval] ${text}`, value: searched },
      ...below(1, 2, searched),
      { ...router, completion: '[Planning]', value: 1 },
      ...below(4, 7, 1),
    ]),
  }
}
const world = [
  ...plain(learned).map((text) => rolledOut(text, true)),
  ...chains(learned).map((text) => rolledOut(text, false)),
]
const train = (options: ChooserOptions = {}) => trainChooser(world, { cost: 0.02, ...options })

describe('training a chooser', () => {
  it('learns from the wording which questions need a plan', async () => {
    const choose = prepareChooser((await train()).chooser)
    expect(plain(held).map(choose)).toEqual(plain(held).map(() => '[Retrieval]'))
    expect(chains(held).map(choose)).toEqual(chains(held).map(() => '[Planning]'))
  })

  it('with prompts that cost nothing, nothing speaks for less than a plan', async () => {
    const { values } = await train({ cost: 0 })
    expect(values).toEqual(
      new Map([
        ['[Planning]', 1],
        ['[Retrieval]', 0.5],
      ]),
    )
  })

  it('the same rollouts give the same bytes, in whatever order', async () => {
    const [one, other] = [await train(), await trainChooser(world.toReversed(), { cost: 0.02 })]
    expect(JSON.stringify(one.chooser)).toBe(JSON.stringify(other.chooser))
    expect(JSON.stringify((await train({ seed: 2 })).chooser)).not.toBe(JSON.stringify(one.chooser))
  })

  it('refuses what teaches nothing, and says what would', async () => {
    await expectError(trainChooser(world.slice(0, 19)), 'cannot-teach', /19 .*20/)
    const { record } = world[0]!
    const [mmoa, mao] = ['mmoa', 'mao'].map((policy) => ({ text: 'who', record: { ...record, policy } }))
    await expectError(trainChooser([mmoa!]), 'cannot-teach', /mmoa/)
    await expectError(trainChooser([...world, mao!]), 'cannot-teach', /c3po and mao/)
    await expectError(train({ cost: -1 }), 'bad-config', /cost/)
    await expectError(train({ signal: AbortSignal.abort() }), 'aborted', /aborted/)
  })
})
