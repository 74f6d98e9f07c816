import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { joiningSearches, partsOf } from '../../../../policies/local/training/joined-searches.ts'
import { onAbort } from '../../../../src/runtime/deadline.ts'
import type { Leg, Retriever, SubQuery } from '../../../../src/types.ts'

const { signal } = new AbortController()
const textsOf = (texts: readonly string[]): SubQuery[] => texts.map((text) => ({ text, round: 1 }))

/** Answers two lists for each text, in the opposite order, and notes what it was asked. */
function noted({ bringsDocuments = false } = {}) {
  const calls: { readonly texts: readonly string[]; readonly k: number; readonly filter: unknown }[] = []
  const retriever: Retriever = {
    name: 'both',
    bringsDocuments,
    legs: [{ name: 'one' }, { name: 'other' }],
    async retrieve(subQueries, { k, filter }) {
      calls.push({ texts: subQueries.map(({ text }) => text), k, filter })
      if (subQueries.some(({ text }) => text === 'broken')) throw new Error('broken')
      return [...subQueries].reverse().flatMap((subQuery): Leg[] => [
        { retriever: 'one', subQuery, hits: [{ docid: `${subQuery.text} 1`, score: 1, rank: 1 }] },
        { retriever: 'other', subQuery, hits: [] },
      ])
    },
  }
  return { calls, retriever }
}

describe('joiningSearches', () => {
  it('sends the searches of one moment as one, each text once, and gives each its own legs', async () => {
    const { calls, retriever } = noted()
    const search = joiningSearches(retriever, signal)
    const from = { text: 'forth', round: 1, from: 'fife' }
    const [first, second, third] = await Promise.all([
      search(textsOf(['forth', 'tower']), { k: 10 }),
      search([from], { k: 10 }),
      search(textsOf([]), { k: 10 }),
    ])
    expect(calls).toEqual([{ texts: ['forth', 'tower'], k: 10, filter: undefined }])
    expect(first.map(({ retriever, subQuery, hits }) => [retriever, subQuery.text, hits?.length])).toEqual([
      ['one', 'forth', 1],
      ['other', 'forth', 0],
      ['one', 'tower', 1],
      ['other', 'tower', 0],
    ])
    expect(second.map(({ subQuery }) => subQuery)).toEqual([from, from])
    expect(third).toEqual([])
  })

  it('sends another depth apart, and filtered ones by themselves', async () => {
    const { calls, retriever } = noted()
    const search = joiningSearches(retriever, signal)
    await Promise.all([
      search(textsOf(['a']), { k: 2 }),
      search(textsOf(['b']), { k: 2 }),
      search(textsOf(['c']), { k: 100 }),
      search(textsOf(['d']), { k: 2, filter: { term: { kind: 'bridge' } } }),
    ])
    expect(calls).toEqual(
      expect.arrayContaining([
        { texts: ['a', 'b'], k: 2, filter: undefined },
        { texts: ['c'], k: 100, filter: undefined },
        { texts: ['d'], k: 2, filter: { term: { kind: 'bridge' } } },
      ]),
    )
    expect(calls).toHaveLength(3)
    await search(textsOf(['a']), { k: 2 })
    expect(calls).toHaveLength(4)
  })

  it('sends one search after the other where hits come with their documents, even after one that fails', async () => {
    const { calls, retriever } = noted({ bringsDocuments: true })
    let running = 0
    const search = joiningSearches(
      {
        ...retriever,
        async retrieve(subQueries, options) {
          expect(++running).toBe(1)
          return retriever.retrieve(subQueries, options).finally(() => running--)
        },
      },
      signal,
    )
    const ends = await Promise.allSettled(
      ['a', 'broken', 'b'].map((text) => search(textsOf([text]), { k: 2 })),
    )
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(calls.map(({ texts }) => texts)).toEqual([['a'], ['broken'], ['b']])
  })

  it('listens once to the signal of a training, however many texts wait for theirs', async () => {
    const { retriever } = noted()
    let listeners: number | undefined
    const search = joiningSearches(
      {
        ...retriever,
        async retrieve(subQueries, options) {
          for (const _ of subQueries) onAbort(options.signal!, () => {})
          listeners = getEventListeners(signal, 'abort').length
          return retriever.retrieve(subQueries, options)
        },
      },
      signal,
    )
    await Promise.all(Array.from({ length: 50 }, (_, text) => search(textsOf([String(text)]), { k: 2 })))
    // One of the gathering, one of the deadline.
    expect(listeners).toBe(2)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('fails all searches of a call that fails', async () => {
    const { retriever } = noted()
    const search = joiningSearches(retriever, signal)
    const ends = await Promise.allSettled(['a', 'broken'].map((text) => search(textsOf([text]), { k: 2 })))
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})

describe('partsOf', () => {
  it('has every item once, in its order, with the place of each part', () => {
    const items = Array.from({ length: 70 }, (_, item) => item)
    const parts = [...partsOf(items)]
    expect(parts.flatMap(([, part]) => part)).toEqual(items)
    for (const [first, part] of parts) expect(part[0]).toBe(first)
    expect([...partsOf([])]).toEqual([])
  })
})
