import { expect, it } from 'vitest'
import { candidatesOf } from '../../../policies/sparkle/candidates.ts'
import type { Triple, TripleStore } from '../../../policies/sparkle/triples.ts'
import type { Embedder } from '../../../src/types.ts'

const { signal } = new AbortController()
const fact = (tail: string, place = 0): Triple => ({ head: '', relation: '', tail, docid: `d${place}` })
const storeOf = (...facts: readonly Triple[]): TripleStore => ({ of: async () => facts })
const tails = (facts: readonly Triple[]): string[] => facts.map(({ tail }) => tail)

it('the facts with the words of the query come first, rare words before frequent ones', async () => {
  const facts = ['a river in Bohemia', 'a river', 'the Vltava', 'a town', 'the Vltava is a river'].map(
    (tail) => fact(tail),
  )
  const found = await candidatesOf('the river Vltava', [], {
    triples: storeOf(...facts),
    embedder: undefined,
    signal,
  })
  // Both words; the rarer one (2 of 5); the more frequent one (3 of 5), the shorter text first; none.
  expect(tails(found)).toEqual([
    'the Vltava is a river',
    'the Vltava',
    'a river',
    'a river in Bohemia',
    'a town',
  ])
})

it('shows twenty at most, equal ones in the order of the documents', async () => {
  const triples = storeOf(...Array.from({ length: 30 }, (_, place) => fact('a town', place)))
  const found = await candidatesOf('river', [], { triples, embedder: undefined, signal })
  expect(found.map(({ docid }) => docid)).toEqual(Array.from({ length: 20 }, (_, place) => `d${place}`))
})

it('none where there are no facts, or their store fails', async () => {
  const settings = { embedder: undefined, signal }
  const broken = { of: async () => Promise.reject(new Error('no store')) }
  expect(await candidatesOf('river', [], { ...settings, triples: storeOf() })).toEqual([])
  expect(await candidatesOf('river', [], { ...settings, triples: broken })).toEqual([])
})

it('an embedder compares them, with BM25 in its place if it fails', async () => {
  const kinds: string[] = []
  const vectors: Readonly<Record<string, readonly number[]>> = {
    stream: [1, 0],
    'a river': [0.8, 0.6],
    'a town': [0, 1],
    'the stream bed': [0.6, 0.8],
  }
  const embedder: Embedder = {
    name: 'two',
    dimensions: 2,
    async embed(texts, { kind }) {
      kinds.push(kind)
      return texts.map((text) => Float32Array.from(vectors[text]!))
    },
  }
  const triples = storeOf(fact('a town'), fact('the stream bed'), fact('a river'))
  expect(tails(await candidatesOf('stream', [], { triples, embedder, signal }))).toEqual([
    'a river',
    'the stream bed',
    'a town',
  ])
  expect(kinds).toEqual(['query', 'document'])
  const broken = { ...embedder, embed: async () => Promise.reject(new Error('no model')) }
  expect(tails(await candidatesOf('stream', [], { triples, embedder: broken, signal }))).toEqual([
    'the stream bed',
    'a town',
    'a river',
  ])
})
