import { describe, expect, it } from 'vitest'
import {
  checkEnough,
  checkTeachable,
  checkVaried,
  judgedQueries,
  leastQueries,
} from '../../../../policies/local/training/check-training-data.ts'
import { expectError } from '../../../support/expect-error.ts'
import { example, prepared } from '../../../support/prepared.ts'

describe('judgedQueries', () => {
  const queries = [
    { qid: 'a', text: 'one' },
    { qid: 'b', text: 'two' },
    { qid: 'c', text: 'three' },
  ]
  const known = new Set(['d1', 'd2'])
  const documents = {
    get: async (docids: readonly string[]) =>
      docids.map((docid) => (known.has(docid) ? { docid, text: docid } : undefined)),
  } as unknown as Parameters<typeof judgedQueries>[3]

  it('are those with a relevant document, with what the index lacks', async () => {
    const qrels = new Map([
      [
        'a',
        new Map([
          ['d1', 1],
          ['gone', 2],
        ]),
      ],
      ['b', new Map([['d2', 0]])],
    ])
    expect(await judgedQueries('towns', queries, qrels, documents)).toEqual({
      queries: [queries[0]],
      golds: 2,
      missing: 1,
    })
  })

  it('are refused where nothing is relevant, or nothing of it is in the index', async () => {
    const graded = (docid: string, grade: number) => new Map([['a', new Map([[docid, grade]])]])
    for (const qrels of [new Map(), graded('d1', 0), graded('gone', 1)])
      await expectError(judgedQueries('towns', queries, qrels, documents), 'unusable-judgments', 'towns')
  })
})

it('checkEnough() wants 20 queries', () => {
  checkEnough(leastQueries)
  expectError(() => checkEnough(leastQueries - 1), 'unusable-judgments', '19 queries have')
})

describe('checkTeachable', () => {
  const found = ['x', 'g1', 'g2']
  const teachable = [
    example({ qid: 'a', golds: ['g1'], asIs: found }),
    example({ qid: 'b', golds: ['g2'], asIs: found }),
  ]

  it('passes queries that find something relevant, not all of it first', () => {
    checkTeachable(teachable)
  })

  it.each([
    ['a single query', teachable.slice(0, 1)],
    [
      'queries that find nothing relevant',
      ['a', 'b'].map((qid) => example({ qid, golds: [qid], asIs: found })),
    ],
    [
      'queries that share what is relevant',
      ['a', 'b'].map((qid) => example({ qid, golds: ['g1'], asIs: found })),
    ],
    [
      'queries that have everything first',
      ['a', 'b'].map((qid) => example({ qid, golds: [qid], asIs: [qid, 'x'] })),
    ],
  ])('refuses %s', (_, examples) => {
    expectError(() => checkTeachable(examples), 'unusable-judgments')
  })
})

describe('checkVaried', () => {
  const same = { qid: 'a', golds: ['gold'], asIs: ['x', 'gold'] }

  it('passes where some plan gains or loses something', () => {
    checkVaried([prepared(same), prepared({ ...same, found: { parts: ['gold'] } })])
    checkVaried([prepared({ ...same, found: { conversation: ['y'] } })])
  })

  it('refuses queries without plans, and plans that find what the query finds', () => {
    for (const found of [{}, { parts: ['x', 'gold'] }])
      expectError(() => checkVaried([prepared({ ...same, found })]), 'unusable-judgments')
  })
})
