/** What an engine found, as far as fusion looks at it. */
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import {
  hasHits,
  hitsOf,
  identity,
  isEmpty,
  whyIncomplete,
} from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { anyText } from '../../../../support/any-text.ts'
import { answerOf, found } from '../../../../support/fake-engine.ts'

describe('identity', () => {
  const name = fc.oneof(fc.stringMatching(/^[\w.:-]*$/), anyText(), fc.constant('a\n'))

  it('is the JSON of the index, the id and the routing, whatever stands in them', () => {
    fc.assert(
      fc.property(name, name, fc.option(name, { nil: undefined }), (_index, _id, _routing) => {
        const parts = _routing === undefined ? [_index, _id] : [_index, _id, _routing]
        expect(identity({ _index, _id, _routing })).toBe(JSON.stringify(parts))
      }),
    )
    expect(identity({})).toBe('[null,null]')
  })

  it.each([
    ['two indices', { _index: 'a', _id: '1' }, { _index: 'b', _id: '1' }],
    ['two routings', { _index: 'a', _id: '1', _routing: 'x' }, { _index: 'a', _id: '1', _routing: 'y' }],
    ['a quotation mark in a name', { _index: 'a', _id: 'b","c' }, { _index: 'a', _id: 'b', _routing: 'c' }],
    ['a comma in a name', { _index: 'a,b', _id: 'c' }, { _index: 'a', _id: 'b,c' }],
  ])('tells documents apart by %s', (_, one, other) => expect(identity(one)).not.toBe(identity(other)))
})

describe('hitsOf', () => {
  const hits = (list: readonly unknown[]) =>
    hitsOf({ hits: { hits: list } }, (docid) => ({ docid, text: 'text' }))

  it('has the hits in their order, each with its score, its text and what the engine gave', () => {
    const given = found('a', 'b')
    expect(hitsOf(answerOf(given), (docid) => ({ docid, text: docid.toUpperCase() }))).toEqual([
      {
        docid: '["works","a"]',
        score: 2,
        rank: 1,
        given: given[0],
        document: { docid: '["works","a"]', text: '["WORKS","A"]' },
      },
      {
        docid: '["works","b"]',
        score: 1,
        rank: 2,
        given: given[1],
        document: { docid: '["works","b"]', text: '["WORKS","B"]' },
      },
    ])
  })

  it.each([
    [{ _id: 'a', _score: new LosslessNumber('1.50') }, 1.5],
    // Where something else breaks ties, the score is the first value of the sort.
    [{ _id: 'a', _score: null, sort: [2.5, 'x'] }, 2.5],
    [{ _id: 'a', _score: null }, Number.NaN],
    [{ _id: 'a', _score: null, sort: ['x'] }, Number.NaN],
    [{ _score: 3 }, Number.NaN],
  ])('of %j has the score %d', (hit, score) => expect(hits([hit])[0]!.score).toBe(score))

  it('leaves out what is no hit, and is empty without a list', () => {
    expect(hits([null, 'a', { _id: 'a', _score: 1 }])).toHaveLength(1)
    expect(hitsOf({ hits: null }, () => undefined)).toEqual([])
  })
})

it('hasHits and isEmpty tell no list from an empty one', () => {
  const answers = [answerOf(found('a')), answerOf([]), { took: 1 }, { hits: { hits: null } }, [], undefined]
  expect(answers.map(hasHits)).toEqual([true, true, false, false, false, false])
  expect(answers.map(isEmpty)).toEqual([false, true, false, false, false, false])
})

it('whyIncomplete says that time was up, or how many shards failed', () => {
  expect(whyIncomplete(answerOf([]))).toBeUndefined()
  expect(whyIncomplete({})).toBeUndefined()
  expect(whyIncomplete({ timed_out: true, _shards: { total: 5, failed: 2 } })).toBe('its time was up')
  expect(whyIncomplete({ _shards: { total: 5, failed: new LosslessNumber('2') } })).toBe(
    '2 of 5 shards failed',
  )
})
