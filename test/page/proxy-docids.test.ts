import { expect, it } from 'vitest'
import { withReadableDocids } from '../../src/page/proxy-docids.ts'

const hit = (docid: string, rank: number) => ({ docid, rank, score: 1 })
const found = (...docids: readonly string[]) => ({
  hits: docids.map((docid, at) => hit(docid, at + 1)),
  decision: {
    kind: 'rewrite',
    reason: 'r',
    subQueries: [{ text: 'who', round: 1, from: docids[0]! }],
  } as const,
  took: 1,
  partial: false,
})

it('names documents by their id, with the document that is known', () => {
  const known = [{ _index: 'works', _id: 'a', _source: { title: 'A', year: 1897, text: 'A longer text' } }]
  const answer = withReadableDocids(found('["works","a"]', '["works","b","routed"]'), known)
  expect(answer.hits).toEqual([
    { ...hit('a', 1), document: { docid: 'a', title: 'A', text: 'A longer text' } },
    hit('b', 2),
  ])
  expect(answer.decision.subQueries[0]!.from).toBe('a')
})

it('tells indices apart, and leaves other docids as they are', () => {
  const answer = withReadableDocids(found('["one","a"]', '["two","a"]', 'plain'))
  expect(answer.hits.map(({ docid }) => docid)).toEqual(['one/a', 'two/a', 'plain'])
})
