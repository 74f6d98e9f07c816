import { describe, expect, it } from 'vitest'
import { legOf, partsOf } from '../../../../adapters/search/cluster/answer.ts'
import { partError } from '../../../../adapters/search/cluster/part-error.ts'
import type { Hit, SubQuery } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'

const subQuery: SubQuery = { text: 'fox', round: 1 }
const reading = { index: 'mine', title: 'title', text: 'text', source: [] } as const
const hit = (_id: string, _score: unknown, more: object = {}) => ({ _index: 'mine', _id, _score, ...more })

interface Read {
  readonly hits?: readonly Hit[]
  readonly incomplete?: string
  readonly error?: Error
}

const leg = (part: unknown, { k = 10, docid }: { readonly k?: number; readonly docid?: 'id' } = {}): Read =>
  legOf({ retriever: 'words', subQuery, k }, part, { ...reading, docid }, partError)
const answered = (hits: readonly unknown[], more: object = {}) => ({ hits: { hits }, ...more })

describe('partsOf', () => {
  it('are one a search', () => {
    expect(partsOf('words', { body: { responses: [1, 2] } }, 2)).toEqual([1, 2])
  })

  it.each([
    [{ responses: [{}] }, /\b1 .* 2\b/],
    [{ responses: [{}, {}, {}] }, /\b3 .* 2\b/],
    [{ took: 1 }, /words/],
    ['<html>', /words/],
    [undefined, /words/],
    [null, /words/],
  ])('are refused where nobody knows whose they are: %j', (body, fact) => {
    expectError(() => partsOf('words', { body }, 2), 'retriever-failed', fact)
  })
})

describe('legOf', () => {
  it('has hits in our order, whatever that of the shards is', () => {
    const { hits } = leg(answered([hit('b', 2), hit('c', 3), hit('a', 2)]))
    expect(hits).toEqual([
      { docid: 'c', score: 3, rank: 1 },
      { docid: 'a', score: 2, rank: 2 },
      { docid: 'b', score: 2, rank: 3 },
    ])
  })

  it('has each document once, at its best place', () => {
    const doubled = [hit('a', 3), hit('b', 2), hit('a', 1), { ...hit('b', 2.5), _index: 'other' }]
    expect(leg(answered(doubled)).hits?.map(({ docid }) => docid)).toEqual(['a', 'other/b', 'b'])
    expect(leg(answered(doubled), { docid: 'id' }).hits).toEqual([
      { docid: 'a', score: 3, rank: 1 },
      { docid: 'b', score: 2.5, rank: 2 },
    ])
  })

  it('has the documents that came along', () => {
    const { hits } = leg(answered([hit('a', 1, { _source: { title: 'A', text: 'b' }, _routing: 'r' })]))
    expect(hits?.[0]?.document).toEqual({ docid: 'mine/a?routing=r', title: 'A', text: 'b' })
  })

  it('is a result where nothing was found', () => {
    expect(leg(answered([]))).toEqual({ retriever: 'words', subQuery, hits: [] })
  })

  it('is the error of the engine with status, type and reason', () => {
    const error = {
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      root_cause: [{ type: 'query_shard_exception', reason: 'no field [vector]' }],
    }
    expect(leg({ error, status: 400 })).toMatchObject({
      retriever: 'words',
      subQuery,
      error: {
        name: 'ResponseError',
        statusCode: 400,
        message: 'query_shard_exception: no field [vector]',
        body: { error, status: 400 },
      },
    })
    expect(leg({ error: 'Incorrect HTTP method', status: 405 }).error?.message).toBe('Incorrect HTTP method')
    expect(leg({ error: { type: 'x', reason: 'y' }, status: 404 }).error?.message).toBe('x: y')
    expect(leg({ status: 503 }).error).toMatchObject({ statusCode: 503 })
  })

  it.each([
    ['a null score', answered([hit('a', null)]), 'bad-list'],
    ['a score in words', answered([hit('a', '1')]), 'bad-list'],
    ['no id', answered([{ _index: 'mine', _score: 1 }]), 'retriever-failed'],
    ['no hits', {}, 'retriever-failed'],
    ['hits that are no list', { hits: { hits: {} } }, 'retriever-failed'],
    ['nothing', null, 'retriever-failed'],
    ['a text', 'x', 'retriever-failed'],
  ])('is an error where there is %s', (_, part, code) => {
    expect(leg(part).error).toMatchObject({ code })
  })

  it('says why hits may be missing', () => {
    expect(leg(answered([hit('a', 1)], { timed_out: true })).incomplete).toBe('the time of the search was up')
    const failures = [{ reason: { type: 'x', reason: 'the disk is gone' } }]
    const shards = { total: 5, failed: 2, failures }
    expect(leg(answered([], { _shards: shards })).incomplete).toBe('2 of 5 shards failed: the disk is gone')
    expect(leg(answered([], { timed_out: true, _shards: { total: 5, failed: 1 } })).incomplete).toBe(
      'the time of the search was up; 1 of 5 shards failed',
    )
    const whole = answered([], { timed_out: false, _shards: { total: 5, failed: 0 } })
    expect(leg(whole)).not.toHaveProperty('incomplete')
  })
})
