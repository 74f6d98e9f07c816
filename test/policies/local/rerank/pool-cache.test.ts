import { describe, expect, it } from 'vitest'
import { featuresOf } from '../../../../policies/local/rerank/features.ts'
import { viewPool } from '../../../../policies/local/rerank/pool-cache.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { readPool } from '../../../support/read-pool.ts'

const terms = { documents: 10, stems: { 5: 'bridg' } }
const query: Query = { text: 'Who built the bridge of Eskby?' }
const documents: readonly Document[] = [
  { docid: 'a', title: 'Eskby Bridge', text: 'The bridge of Eskby was built by Tom Hale.' },
  { docid: 'b', title: 'Tom Hale', text: 'Tom Hale was an engineer. He built bridges.' },
  { docid: 'c', title: 'Lune', text: 'The Lune is a river near Eskby.' },
]
const documentOf = (docid: string) => documents.find((document) => document.docid === docid)

const listOf = (text: string, docids: readonly string[]): RankedList => ({
  retriever: 'words',
  subQuery: { text, round: text === query.text ? 0 : 1 },
  hits: docids.map((docid, place) => ({ docid, score: 3 - place, rank: place + 1 })),
})

describe('A look at a pool', () => {
  it('is remembered for the same query and lists, as copies from another thread, too', () => {
    const reader = createReader(terms)
    reader.begin()
    const first = viewPool(query, [listOf(query.text, ['a', 'c'])], documentOf, reader)
    const copies = structuredClone({ query, lists: [listOf(query.text, ['a', 'c'])], documents })
    const again = (docid: string) => copies.documents.find((document) => document.docid === docid)
    expect(viewPool(copies.query, copies.lists, again, reader)).toBe(first)
  })

  it('is another one where the same lists were made from another document', () => {
    const reader = createReader(terms)
    reader.begin()
    const from = (docid: string): readonly RankedList[] => {
      const list = listOf('Tom Hale', ['b', 'a'])
      return [listOf(query.text, ['a', 'c']), { ...list, subQuery: { ...list.subQuery, from: docid } }]
    }
    const first = viewPool(query, from('a'), documentOf, reader)
    expect(viewPool(query, from('c'), documentOf, reader)).not.toBe(first)
  })

  it.each<[string, Query, readonly RankedList[], typeof documentOf]>([
    ['another list', query, [listOf(query.text, ['a', 'c']), listOf('Tom Hale', ['b', 'a'])], documentOf],
    ['another order', query, [listOf(query.text, ['c', 'a'])], documentOf],
    [
      'another conversation',
      { ...query, history: [{ role: 'user', text: 'What is the Lune?' }] },
      [listOf(query.text, ['a', 'c'])],
      documentOf,
    ],
    [
      'another text of a document',
      query,
      [listOf(query.text, ['a', 'c'])],
      (docid) => (docid === 'a' ? { docid, text: 'The bridge of Eskby is closed.' } : documentOf(docid)),
    ],
  ])('is another for %s, and equals one without a memory', (_, asked, lists, find) => {
    const reader = createReader(terms)
    reader.begin()
    const first = viewPool(query, [listOf(query.text, ['a', 'c'])], documentOf, reader)
    const { retrieved, features } = viewPool(asked, lists, find, reader)
    expect(features).not.toBe(first.features)

    const fresh = createReader(terms)
    const pool = readPool(asked, lists, find, fresh)
    const expected = featuresOf(readQuestion(asked, fresh.lexicon), pool.retrieved, pool.reads, fresh.lexicon)
    expect(retrieved).toEqual(pool.retrieved)
    expect(features.first).toEqual(expected.first)
    const equal = new Float64Array(pool.reads.length).fill(1 / pool.reads.length)
    expect(features.second(equal)).toEqual(expected.second(equal))
  })
})
