import { describe, expect, it } from 'vitest'
import {
  type Action,
  actionFeatures,
  actionInputs,
  actionsOf,
  shapeInputs,
} from '../../../policies/local/actions.ts'
import { type Candidate, type Kind, kinds } from '../../../policies/local/candidates/candidate.ts'
import { contextFeatures } from '../../../policies/local/query-context.ts'

const inSecondStage = new Set<Kind>(['bridge', 'bridge with the rest'])

function candidate(kind: Kind, place: number, more: Partial<Candidate> = {}): Candidate {
  const origin = inSecondStage.has(kind) ? { from: `d${place}` } : {}
  return { kind, text: `${kind} ${place}`, place, strength: 1, gap: 0, found: 0, ...origin, ...more }
}

/** Of each kind as many as there can be. */
const all: readonly Candidate[] = [
  candidate('keywords', 1),
  ...[1, 2, 3].map((place) => candidate('name', place)),
  ...[1, 2, 3].map((place) => candidate('part', place)),
  ...[1, 2, 3, 4].map((place) => candidate('carry-over', place)),
  candidate('expansion', 1),
  ...[1, 2, 3, 4].map((place) => candidate('bridge', place)),
  candidate('bridge with the rest', 1),
]

const key = ({ members, withOriginal }: Action): string => JSON.stringify([[...members].sort(), withOriginal])

describe('choicesOf', () => {
  it('has the query as it is first, and alone where there are no candidates', () => {
    expect(actionsOf([])).toEqual([{ members: [], withOriginal: true }])
    expect(actionsOf(all)[0]).toEqual({ members: [], withOriginal: true })
  })

  it('offers a candidate alone and beside the query', () => {
    expect(actionsOf([candidate('keywords', 1)])).toEqual([
      { members: [], withOriginal: true },
      { members: [0], withOriginal: true },
      { members: [0], withOriginal: false },
    ])
  })

  it.each<readonly [string, readonly Candidate[]]>([
    ['all kinds', all],
    ...kinds.map((kind) => [kind, all.filter((one) => one.kind === kind)] as const),
    ['two names and keywords', [candidate('name', 1), candidate('name', 2), candidate('keywords', 1)]],
  ])('of %s: no set twice, none empty but the first, and three of stage 1 at the most', (_, candidates) => {
    const choices = actionsOf(candidates)
    expect(new Set(choices.map(key)).size).toBe(choices.length)
    for (const { members } of choices.slice(1)) expect(members.length).toBeGreaterThan(0)
    for (const { members } of choices) {
      expect(new Set(members).size).toBe(members.length)
      expect(members.filter((member) => candidates[member]!.from === undefined).length).toBeLessThanOrEqual(3)
      expect(members.filter((member) => candidates[member]!.from !== undefined).length).toBeLessThanOrEqual(
        12,
      )
    }
  })

  it('takes all names or none, and leaves out sets that would have four texts of stage 1', () => {
    const three = [1, 2, 3].map((place) => candidate('name', place))
    expect(actionsOf(three).map(({ members }) => members.length)).toEqual([0, 3, 3])
    // Names and keywords together would be four.
    const sizes = actionsOf([...three, candidate('keywords', 1)]).map(({ members }) => members.length)
    expect(sizes).toEqual([0, 1, 1, 3, 3])
  })

  it('does without a carry-over that abstains: the others keep their places', () => {
    const choices = actionsOf([candidate('carry-over', 2), candidate('carry-over', 4)])
    // The second, the fourth, and both; each with and without the query.
    expect(choices.map(({ members }) => members)).toEqual([[], [0], [0], [1], [1], [0, 1], [0, 1]])
  })
})

describe('choiceFeatures', () => {
  it('names every input once', () => expect(new Set(actionInputs).size).toBe(actionInputs.length))

  it('is finite for all sets of all kinds', () => {
    const choices = actionsOf(all)
    const features = actionFeatures(choices, all, new Float32Array(contextFeatures.length).fill(0.5))
    expect(features).toHaveLength(choices.length * actionInputs.length)
    expect(features.every(Number.isFinite)).toBe(true)
  })

  it("of the query as it is: that it votes, one list, and the query's own features three times", () => {
    expect(namedFeatures({ members: [], withOriginal: true }, [])).toEqual({
      'the query as it is votes': 1,
      'lists: 1': 1,
      'voting original × query: names': 0.5,
      'lists × query: names': 0.5,
      'left alone × query: names': 0.5,
    })
  })

  it('of two names, a bridge and its rest beside the query', () => {
    const candidates = [
      candidate('name', 1, { found: 0.5 }),
      candidate('name', 2, { found: 0.25 }),
      candidate('bridge', 2, { strength: 0.25, gap: -0.5, found: 1, from: 'd1' }),
      candidate('bridge with the rest', 1, { strength: 0.125, from: 'd2' }),
    ]
    expect(namedFeatures({ members: [0, 1, 2, 3], withOriginal: true }, candidates)).toEqual({
      'the query as it is votes': 1,
      'has names': 1,
      'has bridge 2': 1,
      'has bridge with the rest 1': 1,
      'lists: 5': 1,
      'name: strength': 2,
      'name: found': 0.75,
      'bridge: strength': 0.25,
      'bridge: gap': -0.5,
      'bridge: found': 1,
      'bridge with the rest: strength': 0.125,
      'bridges: different seeds': 1,
      'voting original × query: names': 0.5,
      'bridges × query: names': 1,
      'names × query: names': 0.5,
      'lists × query: names': 2.5,
    })
  })

  it('of a rewrite in place of the query', () => {
    expect(namedFeatures({ members: [0], withOriginal: false }, [candidate('keywords', 1)])).toEqual({
      'has keywords': 1,
      'lists: 1': 1,
      'keywords: strength': 1,
      'rewrites × query: names': 0.5,
      'lists × query: names': 0.5,
    })
  })

  it('puts the shape first: what a policy sees that knows no query', () => {
    expect(actionInputs.slice(0, shapeInputs.length)).toEqual(shapeInputs)
    const [one, other] = [0, 1].map((value) =>
      actionFeatures(actionsOf(all), all, new Float32Array(contextFeatures.length).fill(value)),
    )
    const shapeOf = (features: Float32Array): Float32Array =>
      features.filter((_, index) => index % actionInputs.length < shapeInputs.length)
    expect(shapeOf(one!)).toEqual(shapeOf(other!))
  })

  /** The inputs of a choice that are not 0, of a query that has nothing but half a name. */
  function namedFeatures(choice: Action, candidates: readonly Candidate[]): Record<string, number> {
    const query = new Float32Array(contextFeatures.length)
    query[contextFeatures.indexOf('query: names')] = 0.5
    const row = actionFeatures([choice], candidates, query)
    return Object.fromEntries(
      actionInputs.map((name, input) => [name, row[input]!] as const).filter(([, value]) => value !== 0),
    )
  }
})
