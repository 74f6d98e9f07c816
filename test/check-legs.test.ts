/** What a retriever answered, made safe to fuse. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkedLegs, legKind } from '../src/check-legs.ts'
import type { Leg, SubQuery } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { hits } from './support/scripted.ts'

const [who, when]: SubQuery[] = [
  { text: 'who', round: 1 },
  { text: 'when', round: 1 },
]
const dense = { name: 'dense', kind: 'dense' } as const
const check = (answer: unknown, k = 10, subQueries: readonly SubQuery[] = [who!]): Leg[] =>
  checkedLegs(dense, subQueries, answer, k)
/** An answer of one leg for "who". */
const leg = (more: object) => [{ retriever: 'dense', subQuery: { text: 'who' }, ...more }]

describe('a good answer', () => {
  it('keeps its hits, and gets the sub-query that was asked and the kind of its retriever', () => {
    const [checked, ...others] = check(leg({ hits: hits('a', 'b') }))
    expect(checked).toEqual({ retriever: 'dense', kind: 'dense', subQuery: who, hits: hits('a', 'b') })
    expect(checked!.subQuery).toBe(who)
    expect(others).toEqual([])
  })

  it('is cut to k hits', () => expect(check(leg({ hits: hits('a', 'b', 'c') }), 2)[0]!.hits).toHaveLength(2))

  it('may have no hits', () => expect(check(leg({ hits: [] }))[0]).toMatchObject({ hits: [] }))

  it('keeps why it is incomplete', () =>
    expect(check(leg({ hits: [], incomplete: '1 of 5 shards failed' }))[0]).toMatchObject({
      incomplete: '1 of 5 shards failed',
    }))

  it('may have several legs for each sub-query, each with a name and a kind of its own', () => {
    const cluster = {
      name: 'es',
      legs: [{ name: 'es-words', kind: 'lexical' }, { name: 'es-vectors' }],
      kind: 'dense',
    } as const
    const answer = ['es-words', 'es-vectors', 'es-other'].map((retriever) => ({
      ...leg({ hits: hits('a') })[0],
      retriever,
    }))
    expect(checkedLegs(cluster, [who!], answer, 10).map(({ retriever, kind }) => [retriever, kind])).toEqual([
      ['es-words', 'lexical'],
      ['es-vectors', 'dense'],
      ['es-other', 'dense'],
    ])
    expect(legKind({ legs: [{ name: 'x', kind: 'sparse' }] }, 'y')).toBeUndefined()
  })
})

describe('a bad leg', () => {
  it.each([
    ['has neither hits nor an error', {}, 'retriever-failed', 'dense'],
    ['has null for an error, and no hits', { error: null }, 'retriever-failed', 'dense'],
    ['has a text for an error', { error: 'boom' }, undefined, 'boom'],
    [
      'has a number for a docid',
      { hits: [hits('a')[0], { docid: 7, score: 5 }] },
      'bad-list',
      /hit 2\b.*\b7\b/,
    ],
    ['has no docid', { hits: [{ score: 1 }] }, 'bad-list', /hit 1\b.*undefined/],
    ['has no score', { hits: [{ docid: 'x' }] }, 'bad-list', /"x".*undefined/],
    ['has a score that is no number', { hits: [{ docid: 'x', score: NaN }] }, 'bad-list', /"x".*NaN/],
    ['has null for a hit', { hits: [null] }, 'bad-list', /hit 1\b.*null/],
  ])('that %s becomes an error', (_, more, code, fact) => {
    const [checked] = check(leg(more))
    expect(checked!.error).toBeInstanceOf(Error)
    if (code !== undefined) expect(checked!.error).toMatchObject({ code })
    expect(checked!.error!.message).toMatch(fact)
    expect(checked).toMatchObject({ retriever: 'dense', subQuery: who })
  })

  it('does not spoil the others', () => {
    const answer = [...leg({ hits: [null] }), { subQuery: when, hits: hits('a') }]
    expect(check(answer, 10, [who!, when!]).map(({ error }) => error === undefined)).toEqual([false, true])
  })

  it('keeps the very error that the retriever gave', () => {
    const error = new Error('shard on fire')
    expect(check(leg({ error }))[0]!.error).toBe(error)
  })
})

describe('an answer', () => {
  it.each([undefined, null, 'hits', { hits: [] }])('that is %j is no list of legs', (answer) =>
    expectError(() => check(answer), 'retriever-failed'),
  )

  it('without a sub-query gets an error in its place', () => {
    const [checked] = check([])
    expect(checked).toMatchObject({ retriever: 'dense', kind: 'dense', subQuery: who })
    expect(checked!.error!.message).toContain('"dense"')
  })

  it('to a text that nobody asked for is left out', () =>
    expect(check([...leg({ hits: hits('a') }), { subQuery: when, hits: hits('x') }, null])).toHaveLength(1))

  it('has a leg for every sub-query, each with finite scores or an error, whatever it is', () => {
    const value = fc.oneof(fc.constant(undefined), fc.double(), fc.string(), fc.constant(null))
    const hit = fc.option(fc.record({ docid: value, score: value }))
    const oneLeg = fc.option(
      fc.record({
        retriever: value,
        subQuery: fc.constantFrom<unknown>(who, when, undefined, { text: 'other' }),
        hits: fc.oneof(value, fc.array(hit, { maxLength: 3 })),
        error: value,
      }),
    )
    fc.assert(
      fc.property(fc.array(oneLeg, { maxLength: 4 }), (answer) => {
        const legs = check(answer, 2, [who!, when!])
        for (const subQuery of [who, when]) expect(legs.some((one) => one.subQuery === subQuery)).toBe(true)
        for (const { error, hits: found = [] } of legs) {
          if (error !== undefined) expect(error).toBeInstanceOf(Error)
          expect(found.length).toBeLessThanOrEqual(2)
          expect(found.every(({ score }) => Number.isFinite(score))).toBe(true)
        }
      }),
    )
  })
})
