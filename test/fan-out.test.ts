/** Sub-queries × retrievers → legs: one call for each retriever, all at once, each within its deadline. */
import { describe, expect, it } from 'vitest'
import { QuerentError } from '../src/errors.ts'
import { type FanOutOptions, fanOut, legStatus, type TimedLeg } from '../src/fan-out.ts'
import type { Retriever, SubQuery } from '../src/types.ts'
import { manualClock, settled } from './support/manual-clock.ts'
import { hits, scriptedRetriever } from './support/scripted.ts'

const [first, second]: SubQuery[] = [
  { text: 'first', round: 1 },
  { text: 'second', round: 1 },
]
const both = [first!, second!]
const found = { first: ['a', 'b'], second: ['c'] }
const settings = (more: Partial<FanOutOptions> = {}): FanOutOptions => ({
  k: 100,
  timeout: 2000,
  clock: manualClock(),
  signal: new AbortController().signal,
  ...more,
})
const shown = ({ retriever, subQuery, error, hits: list = [] }: TimedLeg): string =>
  `${retriever} ${subQuery.text}: ${error?.message ?? list.map(({ docid }) => docid).join(' ')}`

describe('the legs', () => {
  it('stand in the order of the retrievers, each in the order of the sub-queries', async () => {
    const clock = manualClock()
    const retrievers = [
      scriptedRetriever({ name: 'slow', found, ms: 50, clock }),
      scriptedRetriever({ name: 'fast', found }),
    ]
    const asking = fanOut(retrievers, both, settings({ clock }))
    await clock.advance(50)
    const legs = await asking
    expect(legs.map(shown)).toEqual([
      'slow first: a b',
      'slow second: c',
      'fast first: a b',
      'fast second: c',
    ])
    expect(legs.map(({ ms }) => ms)).toEqual([50, 50, 0, 0])
  })

  it('are none where there is nothing to search, and no retriever is called', async () => {
    const retriever = scriptedRetriever({ found })
    expect(await fanOut([retriever], [], settings())).toEqual([])
    expect(retriever.calls).toEqual([])
  })

  it('of one retriever and text are one: a second one could not be told apart from the first', async () => {
    const twice: Retriever = {
      name: 'twice',
      retrieve: async () => [
        { retriever: 'twice', subQuery: first!, hits: hits('a') },
        { retriever: 'twice', subQuery: first!, hits: hits('b') },
      ],
    }
    const legs = await fanOut([twice], [first!], settings())
    expect(legs.map(shown)).toEqual(['twice first: a', expect.stringContaining('two lists')])
    expect(legs[1]!.error).toMatchObject({ code: 'bad-list' })
  })

  it('of two retrievers may not have one name either', async () => {
    const other: Retriever = {
      name: 'other',
      retrieve: async () => [{ retriever: 'bm25', subQuery: first!, hits: hits('b') }],
    }
    const legs = await fanOut([scriptedRetriever({ found }), other], [first!], settings())
    expect(legs.map(({ error }) => error !== undefined)).toEqual([false, true])
  })
})

describe('a retriever', () => {
  it('is called once, with copies of all sub-queries, and with what a leg may take', async () => {
    const retriever = scriptedRetriever({ found })
    await fanOut([retriever], both, settings({ k: 7, filter: { year: 2020 } }))
    await fanOut([retriever], both, settings())
    expect(retriever.calls.map(({ texts }) => texts)).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ])
    expect(retriever.calls[0]!.options).toMatchObject({ k: 7, timeout: 2000, filter: { year: 2020 } })
    expect(retriever.calls[1]!.options).not.toHaveProperty('filter')
  })

  it('cannot change the sub-queries of the legs', async () => {
    const careless = scriptedRetriever({ found })
    const retriever: Retriever = {
      name: 'bm25',
      async retrieve(subQueries, options) {
        for (const subQuery of subQueries) Object.assign(subQuery, { round: 9 })
        return careless.retrieve(subQueries, options)
      },
    }
    expect((await fanOut([retriever], [first!], settings()))[0]!.subQuery).toBe(first)
  })

  it.each<readonly [string, Retriever['retrieve']]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])('that %s fails in all of its legs, and in no other', async (_, retrieve) => {
    const legs = await fanOut(
      [{ name: 'bad', kind: 'dense', retrieve }, scriptedRetriever({ found })],
      both,
      settings(),
    )
    expect(legs.map(shown)).toEqual([
      'bad first: down',
      'bad second: down',
      'bm25 first: a b',
      'bm25 second: c',
    ])
    expect(legs[0]).toMatchObject({ kind: 'dense' })
  })

  it('that is late is aborted at the deadline, and its answer is dropped when it comes', async () => {
    const clock = manualClock()
    let dropped = 0
    const late = scriptedRetriever({ name: 'late', found, ms: 5000, clock })
    const asking = fanOut(
      [late, scriptedRetriever({ found })],
      [first!],
      settings({ clock, onDropped: () => void dropped++ }),
    )
    await clock.advance(1999)
    expect(late.calls[0]!.options.signal!.aborted).toBe(false)
    await clock.advance(1)
    const legs = await asking
    expect(legs.map(legStatus)).toEqual(['late', 'ok'])
    expect(legs[0]!.error!.message).toContain('2000 ms')
    expect(late.calls[0]!.options.signal!.aborted).toBe(true)
    expect(dropped).toBe(0)
    await clock.advance(3000)
    expect(dropped).toBe(1)
    expect(clock.waiting).toBe(0)
  })

  it('has no deadline of its own where the timeout is infinite, and ends with the search', async () => {
    const clock = manualClock()
    const search = new AbortController()
    const late = scriptedRetriever({ found, ms: 100_000, clock })
    const timeout = Number.POSITIVE_INFINITY
    const asking = fanOut([late], [first!], settings({ clock, timeout, signal: search.signal }))
    await clock.advance(99_999)
    expect(clock.waiting).toBe(1)
    search.abort(new QuerentError('aborted', 'The result is no longer needed'))
    expect((await asking).map(legStatus)).toEqual(['aborted'])
  })

  it('leaves no timer behind', async () => {
    const clock = manualClock()
    await fanOut([scriptedRetriever({ found }), scriptedRetriever({ fails: new Error('down') })], both, {
      ...settings({ clock }),
    })
    expect(clock.waiting).toBe(0)
  })
})

describe('onLeg', () => {
  it('is called for each leg as soon as its retriever answers', async () => {
    const clock = manualClock()
    const seen: string[] = []
    const retrievers = [
      scriptedRetriever({ name: 'slow', found, ms: 70, clock }),
      scriptedRetriever({ name: 'fast', found }),
    ]
    const onLeg = (leg: TimedLeg): void => void seen.push(shown(leg))
    const asking = fanOut(retrievers, both, settings({ clock, onLeg }))
    await settled()
    expect(seen).toEqual(['fast first: a b', 'fast second: c'])
    await clock.advance(70)
    await asking
    expect(seen.slice(2)).toEqual(['slow first: a b', 'slow second: c'])
  })

  it('may throw without any effect on the legs', async () => {
    const onLeg = (): never => {
      throw new Error('broken')
    }
    expect((await fanOut([scriptedRetriever({ found })], both, settings({ onLeg }))).map(legStatus)).toEqual([
      'ok',
      'ok',
    ])
  })
})
