/** The early gate: what it sees, and that it speaks above its threshold only. */
import { expect, it } from 'vitest'
import { earlyInputs, earlyRow, prepareEarly } from '../../../../policies/local/gate/early.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Query, RankedList } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { smallPolicy } from '../../../support/small-policy.ts'
import { linear } from '../../../support/small-scorers.ts'

const { terms } = await smallPolicy()
const reader = createReader(terms)

const list = (scores: readonly number[], kind: 'lexical' | 'dense' = 'lexical'): RankedList => ({
  retriever: kind,
  kind,
  subQuery: { text: 'a query', round: 0 },
  hits: scores.map((score, place) => ({ docid: `d${place}`, score, rank: place + 1 })),
})

function seen(query: Query, ...lists: readonly RankedList[]): ReadonlyMap<string, number> {
  const row = earlyRow(query, lists, reader)
  return new Map(earlyInputs.map((name, input) => [name, row[input]!]))
}

it('sees the first ten scores of the first lexical list, and whether the query follows a conversation', () => {
  const scores = [8, 6, 5, 4, 4, 3, 3, 3, 3, 2, 1, 1]
  const plain = seen({ text: 'heat of a wing' }, list([0.9, 0.8], 'dense'), list(scores))
  expect([...plain].filter(([name]) => name.startsWith('scores') && !name.includes('words'))).toEqual([
    ['scores: second ÷ first', 0.75],
    ['scores: fifth ÷ first', 0.5],
    ['scores: tenth ÷ first', 0.25],
    ['scores: hits', 1],
  ])
  expect(plain.get('conversation')).toBe(0)
  const history = [{ role: 'user', text: 'Who wrote Emma?' }] as const
  expect(seen({ text: 'and Dune?', history }, list([1])).get('conversation')).toBe(1)
})

it.each([
  ['no list', []],
  ['an empty list', [list([])]],
  ['scores of 0', [list([0, 0])]],
])('has finite inputs for %s', (_, lists) => {
  expect([...seen({ text: '?' }, ...lists).values()].every(Number.isFinite)).toBe(true)
})

it('leaves alone what is above the threshold', () => {
  const early = prepareEarly({ scorer: linear(earlyInputs, { 'scores: hits': 2 }), threshold: 1 })
  const row = (hits: number) => Float32Array.from(earlyInputs, (name) => (name === 'scores: hits' ? hits : 0))
  expect([0.4, 0.5, 0.6].map((hits) => early(row(hits)))).toEqual([false, false, true])
})

it('refuses a gate of other features', () => {
  expectError(() => prepareEarly({ scorer: linear(['words']), threshold: 0 }), 'bad-config', 'decision.early')
})
