import { describe, expect, it } from 'vitest'
import { earlyRow, prepareEarly } from '../../policies/local/gate/early.ts'
import { trainEarly } from '../../policies/local/training/early-training.ts'
import { createReader } from '../../src/text/reader.ts'
import { prepared } from '../support/prepared.ts'
import { smallPolicy } from '../support/small-policy.ts'

const { terms } = await smallPolicy()
const reader = createReader(terms)

/** Questions that a policy leaves alone, and comparisons, of which it searches the parts. The wording tells them apart. */
function world(count: number) {
  const examples = Array.from({ length: count }, (_, place) => {
    const text =
      place % 2 === 0 ? `what is item ${place}` : `Is item ${place} of the King older than item ${place + 1}?`
    const one = prepared({ qid: `q${place}`, golds: ['gold'], asIs: ['gold', 'x'], found: { name: ['x'] } })
    return { ...one, example: { ...one.example, query: { text, qid: `q${place}` } } }
  })
  const decisions = examples.map((_, place) => ({ choice: place % 2, isSure: true }))
  return { examples, decisions, foldOf: examples.map((_, place) => (place >> 1) % 3) }
}

describe('trainEarly', () => {
  it('learns what the policy leaves alone, from its decisions', async () => {
    const { examples, decisions, foldOf } = world(240)
    const gate = await trainEarly(examples, decisions, reader, { seed: 1, foldOf })
    const isLeftAlone = prepareEarly(gate!)
    const said = world(40).examples.map(({ example: { query, lists } }) => {
      return isLeftAlone(earlyRow(query, lists, reader))
    })
    expect(said).toEqual(said.map((_, place) => place % 2 === 0))
  })

  it('is the same for the same seed, and another for another', async () => {
    const { examples, decisions, foldOf } = world(220)
    const train = (seed: number) => trainEarly(examples, decisions, reader, { seed, foldOf })
    expect(await train(1)).toEqual(await train(1))
    expect(await train(2)).not.toEqual(await train(1))
  })

  it('lets at most 1 % of the queries with sub-queries through where nothing tells them apart', async () => {
    const { examples, foldOf } = world(400)
    const alike = examples.map((one) => ({
      ...one,
      example: { ...one.example, query: { text: 'the same' } },
    }))
    const decisions = alike.map((_, place) => ({ choice: place % 3 === 0 ? 1 : 0, isSure: true }))
    const gate = await trainEarly(alike, decisions, reader, { seed: 1, foldOf })
    const { query, lists } = alike[0]!.example
    expect(prepareEarly(gate!)(earlyRow(query, lists, reader))).toBe(false)
  })

  it('learns nothing from fewer than 100 queries of either kind', async () => {
    const { examples, decisions, foldOf } = world(198)
    expect(await trainEarly(examples, decisions, reader, { seed: 1, foldOf })).toBeUndefined()
  })
})
