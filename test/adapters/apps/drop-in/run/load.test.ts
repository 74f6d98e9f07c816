/** How much is optimized at a time, and what passes through. */
import { describe, expect, it } from 'vitest'
import {
  type Admission,
  admitEach,
  createLoad,
  isShed,
} from '../../../../../adapters/apps/drop-in/run/load.ts'
import { manualClock } from '../../../../support/manual-clock.ts'

const search = { words: 'anything' }
const { signal } = new AbortController()
const full = /too many searches/

function loadOf(maxSearches: number, delay: () => number = () => 0) {
  const clock = manualClock()
  const load = createLoad({ maxSearches, maxDelay: 100, delay, clock })
  const enter = (key: string, isBehind = false, until = signal) =>
    load.enter({ key, isBehind, signal: until })
  let keys = 0
  const admit = (...all: readonly (typeof search | { readonly reason: string })[]) =>
    admitEach(load, all, () => ({ key: `search ${keys++}`, isBehind: false, signal }))
  /** Passes the time that searches wait, once they do. */
  const impatient = async <T>(entering: Promise<T>): Promise<T> => {
    await clock.advance(60)
    return entering
  }
  return { ...load, load, clock, enter, admit, impatient }
}
const isAdmission = (one: object): one is Admission => 'leave' in one

describe('a place', () => {
  it('is given at once, or as soon as one is given back', async () => {
    const { enter, counts } = loadOf(1)
    const first = await enter('a')
    const waiting = enter('b')
    expect(isAdmission(first) && first.leave()).toBeUndefined()
    expect(await waiting).toSatisfy(isAdmission)
    expect(counts).toEqual({ optimizing: 1, admitted: 2, shed: 0 })
  })

  it('is waited for so long, by so many, and not by a caller who is gone', async () => {
    const { enter, impatient, counts, clock } = loadOf(1)
    await enter('a')
    expect(await impatient(enter('b'))).toMatchObject({ reason: expect.stringMatching(full), isShed: true })
    const waiting = ['c', 'd', 'e', 'f'].map((key) => enter(key))
    expect(await enter('g')).toSatisfy(isShed)
    expect(await enter('h', false, AbortSignal.abort())).toSatisfy(isShed)
    await clock.advance(60)
    expect((await Promise.all(waiting)).every(isShed)).toBe(true)
    expect(counts).toEqual({ optimizing: 1, admitted: 1, shed: 7 })
  })

  it('is not taken twice when it is given back', async () => {
    const { enter, counts } = loadOf(1)
    const first = await enter('a')
    const waiting = enter('b')
    if (isAdmission(first)) first.leave()
    const late = enter('c', false, AbortSignal.abort())
    expect(await late).toSatisfy(isShed)
    await waiting
    expect(counts.optimizing).toBe(1)
  })
})

describe('a search', () => {
  it('that was optimized goes ahead of others with its next pages', async () => {
    const { enter } = loadOf(1)
    const first = await enter('a')
    const order: string[] = []
    const others = [
      enter('b').finally(() => order.push('b')),
      enter('a', true).finally(() => order.push('a, page 2')),
    ]
    if (isAdmission(first)) first.leave()
    const next = await others[1]!
    if (isAdmission(next)) next.leave()
    await others[0]
    expect(order).toEqual(['a, page 2', 'b'])
  })

  it('that was optimized waits with its next pages also where many repeat their search', async () => {
    const { enter } = loadOf(1)
    let place = await enter('a')
    const repeated = Array.from({ length: 20 }, () => enter('a'))
    const next = enter('a', true)
    for (const waiting of [...repeated, next]) {
      if (isAdmission(place)) place.leave()
      place = await waiting
      expect(place).toSatisfy(isAdmission)
    }
  })

  it('that passed through does so with all of its pages, and anew only where there is a place', async () => {
    const { enter, impatient } = loadOf(1)
    const first = await enter('a')
    expect(await impatient(enter('b'))).toSatisfy(isShed)
    // At once: the same words do not get another list by chance.
    expect(await enter('b')).toSatisfy(isShed)
    if (isAdmission(first)) first.leave()
    expect(await enter('b', true)).toSatisfy(isShed)
    expect(await enter('b')).toSatisfy(isAdmission)
  })

  it('whose first page another process had is not given up for one page without a place', async () => {
    const { enter, impatient } = loadOf(1)
    const first = await enter('a')
    expect(await impatient(enter('b', true))).toSatisfy(isShed)
    if (isAdmission(first)) first.leave()
    expect(await enter('b', true)).toSatisfy(isAdmission)
  })

  it('is forgotten after five minutes', async () => {
    const { enter, impatient, clock } = loadOf(1)
    const first = await enter('a')
    expect(await impatient(enter('b'))).toSatisfy(isShed)
    if (isAdmission(first)) first.leave()
    await clock.advance(6 * 60_000)
    expect(await enter('b', true)).toSatisfy(isAdmission)
  })

  it('has no second one beside it while the event loop is late, but the pages of one that was optimized', async () => {
    let delay = 101
    const { enter, admit } = loadOf(20, () => delay)
    expect(await enter('a')).toSatisfy(isAdmission)
    expect(await enter('b')).toMatchObject({ reason: 'the event loop is late' })
    expect(await admit(search)).toMatchObject({ reason: 'the event loop is late' })
    expect(await enter('a', true)).toSatisfy(isAdmission)
    delay = 100
    expect(await enter('c')).toSatisfy(isAdmission)
  })
})

describe('a search that nobody waits for', () => {
  const spare = { key: 's', isBehind: false, isSpare: true, signal }

  it('has a place only beside nothing, keeps nobody from one, and counts for nobody', async () => {
    const { load, enter, counts } = loadOf(2)
    const first = await load.enter(spare)
    expect(first).toSatisfy(isAdmission)
    expect(await load.enter(spare)).toMatchObject({ isShed: true })
    const other = await enter('a')
    const waiting = enter('b')
    if (isAdmission(first)) first.leave()
    expect([other, await waiting].every(isAdmission)).toBe(true)
    expect(await load.enter(spare)).toMatchObject({ isShed: true })
    expect(counts).toEqual({ optimizing: 2, admitted: 2, shed: 0 })
  })

  it('comes with the others of its request, up to half of the places', async () => {
    const { load } = loadOf(4)
    const { understood } = (await admitEach(load, [search, search, search], () => spare)) as never
    expect(understood).toMatchObject([search, search, { isShed: true }])
  })

  it('is left out while the event loop is late, before others are', async () => {
    const { load, enter } = loadOf(4, () => 26)
    expect(await load.enter(spare)).toMatchObject({ isShed: true })
    expect([await enter('a'), await enter('b')].every(isAdmission)).toBe(true)
  })
})

describe('the searches of a request', () => {
  it('enter together, however late the event loop is', async () => {
    const { admit } = loadOf(20, () => 1000)
    expect(await admit(search, search, search)).toMatchObject({ understood: [search, search, search] })
  })

  it('are not counted where they pass through for another reason', async () => {
    const { admit, counts } = loadOf(1)
    expect(await admit({ reason: 'it wants no hits' })).toEqual({ reason: 'it wants no hits' })
    expect(await admit({ reason: 'it wants no hits' }, { reason: 'no words' })).toHaveProperty('reason')
    expect(counts).toEqual({ optimizing: 0, admitted: 0, shed: 0 })
  })

  it('are ten at most, and give all places back', async () => {
    const { admit, counts } = loadOf(100)
    const given = await admit({ reason: 'no words' }, ...Array.from({ length: 600 }, () => search))
    if ('reason' in given) throw new Error(given.reason)
    expect(given.understood.filter((one) => 'words' in one)).toHaveLength(10)
    expect(given.understood[0]).toEqual({ reason: 'no words' })
    expect(given.understood.filter(isShed)).toHaveLength(590)
    expect(counts).toEqual({ optimizing: 10, admitted: 10, shed: 590 })
    given.leave()
    expect(counts.optimizing).toBe(0)
  })

  it('pass through as a whole where there is no place', async () => {
    const { admit, clock } = loadOf(1)
    await admit(search)
    const given = admit(search, search)
    await clock.advance(60)
    await clock.advance(60)
    expect(await given).toMatchObject({ reason: expect.stringMatching(full), isShed: true })
  })
})
