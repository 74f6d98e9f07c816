import { expect, it } from 'vitest'
import { withReadableDocids } from '../../src/page/proxy-docids.ts'
import { begun } from '../../src/page/view.ts'

const hit = (docid: string, rank: number) => ({ docid, rank, score: 1 })
const found = (...docids: readonly string[]) => ({
  ...begun({ text: 'who' }),
  hits: docids.map((docid, at) => hit(docid, at + 1)),
})

it('names documents by their id, with the document that is known', () => {
  const known = [{ _index: 'works', _id: 'a', _source: { title: 'A', year: 1897, text: 'A longer text' } }]
  const view = withReadableDocids(found('["works","a"]', '["works","b","routed"]'), known)
  expect(view.hits).toEqual([
    { ...hit('a', 1), document: { docid: 'a', title: 'A', text: 'A longer text' } },
    hit('b', 2),
  ])
})

it('tells indices apart, and leaves other docids as they are', () => {
  const view = withReadableDocids(found('["one","a"]', '["two","a"]', 'plain'))
  expect(view.hits.map(({ docid }) => docid)).toEqual(['one/a', 'two/a', 'plain'])
})
