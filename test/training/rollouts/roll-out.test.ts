import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../../src/errors.ts'
import { acqoRollouts } from '../../../src/training/rollouts/acqo.ts'
import { rememberedCompletions, rememberedRetriever } from '../../../src/training/rollouts/remembered.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import type { ChatModel, Retriever } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf } from '../exploring.ts'

const { signal } = new AbortController()
const golds = { docids: ['a'], answers: [] }
const roll = (agents: ChatModel, retriever: Retriever, samples = 1) =>
  rollOut({ qid: 'q1', text: 'who' }, golds, acqoRollouts({ samples }), {
    retrievers: [retriever],
    agents,
    signal,
  })
const found = { who: ['a'], first: ['a'] }

describe('no reward stands in for a failure of the machinery', () => {
  it('a leg that failed', async () => {
    const broken = scriptedRetriever({ found: { ...found, first: new Error('shard 3') } })
    await expectError(roll(scriptedChat(['{"query": "who %% first"}']), broken), 'retriever-failed', '"q1"')
  })

  it('a model that failed', async () => {
    const down = new QuerentError('chat-failed', 'the server is down')
    await expect(roll(scriptedChat([down]), scriptedRetriever({ found }))).rejects.toBe(down)
  })
})

it('an answer that the model did not finish is an invalid action', async () => {
  const cut = new QuerentError('bad-completion', 'it was cut off')
  const tree = await roll(scriptedChat([cut, '{"query": "first"}']), scriptedRetriever({ found }), 2)
  expect(leavesOf(tree)).toEqual([': it was cut off', '{"query": "first"}: 2'])
})

it('searches the same texts once, for all runs', async () => {
  const retriever = scriptedRetriever({ found })
  const texts = ['{"query": "first"}', '{"query":  "first"}', '{"query": "who"}']
  await roll(scriptedChat(texts), retriever, 3)
  expect(retriever.calls.map(({ texts }) => texts)).toEqual([['who'], ['first']])
})

describe('what is remembered', () => {
  it('a list, for whoever wants it, with the sub-query of the one who asks', async () => {
    const retriever = scriptedRetriever({ found })
    const { retrieve } = rememberedRetriever(retriever, signal)
    await retrieve([{ text: 'who', round: 0 }], { k: 5 })
    const [leg] = await retrieve([{ text: 'who', round: 2 }], { k: 5 })
    expect(leg).toMatchObject({ subQuery: { round: 2 }, hits: [{ docid: 'a' }] })
    await retrieve([{ text: 'who', round: 0 }], { k: 6 })
    await retrieve([{ text: 'who', round: 0 }], { k: 5, filter: { year: 1 } })
    expect(retriever.calls).toHaveLength(3)
  })

  it('no failure', async () => {
    const retriever = scriptedRetriever({ fails: new Error('down') })
    const { retrieve } = rememberedRetriever(retriever, signal)
    for (const _ of [1, 2])
      await expect(retrieve([{ text: 'who', round: 0 }], { k: 5 })).rejects.toThrow('down')
    const legs = scriptedRetriever({ found: { who: new Error('down') } })
    const remembered = rememberedRetriever(legs, signal)
    for (const _ of [1, 2]) await remembered.retrieve([{ text: 'who', round: 0 }], { k: 5 })
    expect([retriever.calls.length, legs.calls.length]).toEqual([2, 2])
  })

  it('a completion at temperature 0, but no failure', async () => {
    let calls = 0
    const complete = rememberedCompletions(async () => {
      if (++calls === 1) throw new Error('down')
      return { text: String(calls) }
    })
    const messages = [{ role: 'user', content: 'who' }] as const
    const at = (temperature: number) => complete({ name: 'one', temperature }, messages, signal)
    await expect(at(0)).rejects.toThrow('down')
    expect([await at(0), await at(0), await at(1), await at(1)].map(({ text }) => text)).toEqual([
      '2',
      '2',
      '3',
      '4',
    ])
    expect((await complete({ name: 'two', temperature: 0 }, messages, signal)).text).toBe('5')
  })
})
