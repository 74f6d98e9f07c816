import { expect, it } from 'vitest'
import { examplesOf, messagesFor } from '../../../src/training/export/examples.ts'
import type { Qrels, Query } from '../../../src/types.ts'

const queries: readonly Query[] = [
  { qid: 'q1', text: 'who wrote Dune?' },
  { qid: 'q2', text: 'nobody judged this' },
  { qid: 'q3', text: 'nothing is relevant' },
  {
    qid: 'q4',
    text: 'and where was he born?',
    history: [
      { role: 'user', text: 'who wrote Dune?' },
      { role: 'agent', text: 'Frank Herbert' },
    ],
  },
  { qid: 'q5', text: 'what is lost?' },
]
const qrels: Qrels = new Map([
  ['q1', new Map([['dune', 1]])],
  ['q3', new Map([['dune', 0]])],
  [
    'q4',
    new Map([
      ['herbert', 2],
      ['lost', 1],
      ['emma', -1],
    ]),
  ],
  ['q5', new Map([['lost', 1]])],
])
const place = { collection: 'books', split: 'train' }

it('takes the queries with relevant documents, numbered from 0', () => {
  const { examples, unjudged, unreachable } = examplesOf(queries, qrels, place)
  expect(examples.map(({ qid, index, golds }) => [qid, index, golds])).toEqual([
    ['q1', 0, ['dune']],
    ['q4', 1, ['herbert', 'lost']],
    ['q5', 2, ['lost']],
  ])
  expect([unjudged, unreachable]).toEqual([2, 0])
})

it('leaves out what the index cannot answer', () => {
  const { examples, unreachable } = examplesOf(queries, qrels, {
    ...place,
    indexed: new Set(['dune', 'herbert']),
  })
  expect(examples.map(({ qid }) => qid)).toEqual(['q1', 'q4'])
  expect(unreachable).toBe(1)
})

it('does not name the relevant documents where they are to stay away, and takes the same queries', () => {
  const indexed = new Set(['dune', 'herbert'])
  const { examples, ...left } = examplesOf(queries, qrels, { ...place, indexed, withGolds: false })
  expect(examples.map(({ qid }) => qid)).toEqual(['q1', 'q4'])
  expect(examples.filter((example) => 'golds' in example)).toEqual([])
  expect(left).toEqual({ unjudged: 2, unreachable: 1 })
})

it('asks as the policy acqo asks', () => {
  const [system, user] = messagesFor()(queries[3]!)
  expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('3 at the most') })
  expect(user!.content).toContain('Q1: who wrote Dune?\nA1: Frank Herbert')
  expect(user!.content).toMatch(/and where was he born\?$/)
  expect(messagesFor({ maxSubQueries: 1 })(queries[0]!)[0]!.content).not.toContain('%%')
})

it('asks in other words', () => {
  const template = '{context}\n{question} =>'
  expect(messagesFor({ template })(queries[0]!)).toEqual([{ role: 'user', content: '\nwho wrote Dune? =>' }])
})
