import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import {
  collectExamples,
  readPoolOf,
  type TrainingCollection,
} from '../../../../policies/local/training/example.ts'
import type { SearchText } from '../../../../src/policy.ts'
import type { Document, Query, Retriever } from '../../../../src/types.ts'
import { finderOf } from '../../../support/finder.ts'

const documents: readonly Document[] = [
  { docid: 'forth', title: 'Forth Bridge', text: 'A railway bridge over the firth. Fowler drew it.' },
  { docid: 'tower', title: 'Tower Bridge', text: 'A bridge that opens.' },
  { docid: 'fowler', title: 'John Fowler', text: 'He drew a railway bridge.' },
]
const bm25 = await buildWinkBm25(documents)

/** The real thing, and what it was asked for. */
function noted(name = 'bm25') {
  const calls: { readonly texts: readonly string[]; readonly k: number; readonly filter: unknown }[] = []
  const retriever: Retriever = {
    name,
    async retrieve(subQueries, options) {
      calls.push({ texts: subQueries.map(({ text }) => text), k: options.k, filter: options.filter })
      const { filter: _, ...others } = options
      const legs = await bm25.retrieve(subQueries, others)
      return legs.map((leg) => ({ ...leg, retriever: name }))
    },
  }
  return { retriever, calls }
}

const queries: readonly Query[] = [
  { qid: 'q1', text: 'who drew the railway bridge' },
  { qid: 'q2', text: 'the bridge that opens', filter: { open: true } },
  { qid: 'q3', text: 'a bridge that nobody judged' },
]
const qrels = new Map([
  [
    'q1',
    new Map([
      ['fowler', 2],
      ['forth', 1],
      ['tower', 0],
    ]),
  ],
  ['q2', new Map([['forth', 0]])],
])

function collection(more: Partial<TrainingCollection> = {}): TrainingCollection {
  return {
    name: 'bridges',
    queries,
    qrels,
    retrievers: [bm25],
    documents: finderOf(documents),
    ...more,
  }
}

describe('collectExamples', () => {
  it('has the queries with a relevant document, and the lists of each retriever', async () => {
    const [one, other] = [noted(), noted('dense')]
    const progress: (readonly [number, number])[] = []
    const examples = await collectExamples([collection({ retrievers: [one.retriever, other.retriever] })], {
      onProgress: (done, total) => progress.push([done, total]),
    })
    expect(examples.map(({ query, collection: from, golds }) => [query.qid, from, [...golds]])).toEqual([
      [
        'q1',
        'bridges',
        [
          ['fowler', 2],
          ['forth', 1],
        ],
      ],
    ])
    expect(examples[0]?.lists.map(({ retriever, subQuery }) => [retriever, subQuery])).toEqual([
      ['bm25', { text: queries[0]!.text, round: 0 }],
      ['dense', { text: queries[0]!.text, round: 0 }],
    ])
    expect(progress).toEqual([[3, 3]])
    // Only the judged query was searched.
    expect(one.calls).toEqual([{ texts: [queries[0]!.text], k: 100, filter: undefined }])
  })

  it('passes filters on, and is as deep as it was told', async () => {
    const { retriever, calls } = noted()
    const judged = new Map([['q2', new Map([['tower', 1]])]])
    const [example] = await collectExamples([collection({ retrievers: [retriever], qrels: judged })], {
      depth: 2,
    })
    expect(example!.lists[0]!.hits).toHaveLength(2)
    await example!.search([{ text: 'Fowler' }])
    await example!.search([{ text: 'Fowler' }], 1)
    expect(calls.map(({ k, filter }) => [k, filter])).toEqual([
      [2, { open: true }],
      [2, { open: true }],
      [1, { open: true }],
    ])
  })

  it('knows what must not be on both sides of a fold, corpus by corpus', async () => {
    const groupOf = ({ qid }: Query): string => `talk about ${qid}`
    const [here, there, same] = await collectExamples([
      collection({ groupOf }),
      collection({ name: 'other' }),
      collection({ name: 'more of the same', corpusName: 'bridges' }),
    ])
    expect(here?.keys).toEqual([
      'bridges document fowler',
      'bridges document forth',
      'bridges group talk about q1',
    ])
    expect(there?.keys).toEqual(['other document fowler', 'other document forth'])
    expect(same?.keys).toEqual(['bridges document fowler', 'bridges document forth'])
  })

  it('ends with what a retriever throws, and when it is aborted', async () => {
    const failing: Retriever = {
      name: 'failing',
      retrieve: async ([subQuery]) => [
        { retriever: 'failing', subQuery: subQuery!, error: new Error('shard') },
      ],
    }
    await expect(collectExamples([collection({ retrievers: [failing] })])).rejects.toThrow('shard')
    await expect(
      collectExamples([collection()], { signal: AbortSignal.abort('enough') }),
    ).rejects.toMatchObject({
      code: 'aborted',
      cause: 'enough',
    })
  })
})

describe('an example', () => {
  it('searches sub-queries in one call a retriever, and gives their lists in their order', async () => {
    const [one, other] = [noted(), noted('dense')]
    const [example] = await collectExamples([collection({ retrievers: [one.retriever, other.retriever] })])
    const subQueries: readonly SearchText[] = [{ text: 'opens' }, { text: 'Fowler', from: 'forth' }]
    const found = await example!.search(subQueries)
    expect(
      found.map((lists) =>
        lists.map(({ retriever, subQuery, hits }) => [retriever, subQuery.text, hits[0]?.docid]),
      ),
    ).toEqual([
      [
        ['bm25', 'opens', 'tower'],
        ['dense', 'opens', 'tower'],
      ],
      [
        ['bm25', 'Fowler', 'fowler'],
        ['dense', 'Fowler', 'fowler'],
      ],
    ])
    expect([one.calls.length, other.calls.length]).toEqual([2, 2])
    expect(await example!.search([])).toEqual([])
    expect(one.calls).toHaveLength(2)
  })

  it('looks names up in the first retriever', async () => {
    const [one, other] = [noted(), noted('dense')]
    const [example] = await collectExamples([collection({ retrievers: [one.retriever, other.retriever] })])
    expect(await example!.lookUp(['Tower Bridge', 'Fowler', 'nobody'], 1)).toEqual([
      ['tower'],
      ['fowler'],
      [],
    ])
    expect([one.calls.length, other.calls.length]).toEqual([2, 1])
  })

  it('reads each document once, and those that came with the hits not at all', async () => {
    const asked: (readonly string[])[] = []
    const [example] = await collectExamples([
      collection({
        documents: async (docids) => {
          asked.push(docids)
          return docids.map((docid) =>
            docid === 'fowler' ? undefined : documents.find((one) => one.docid === docid),
          )
        },
      }),
    ])
    expect(example!.documentOf('forth')).toBeUndefined()
    const brought = { docid: 'tower', text: 'It came along.' }
    const list = example!.lists[0]!
    await example!.read([{ ...list, hits: [{ docid: 'tower', score: 1, rank: 1, document: brought }] }])
    const inPool = await readPoolOf(example!, example!.lists)
    expect(inPool('forth')).toBe(documents[0])
    expect(asked.flat().sort()).toEqual(['forth', 'fowler'])
    expect(example!.documentOf('tower')).toBe(brought)
    expect(example!.documentOf('forth')).toBe(documents[0])
    // What could not be had is asked for again.
    await readPoolOf(example!, example!.lists)
    expect(asked.slice(1)).toEqual([['fowler']])
    // What was read for other lists is not shown.
    const onlyForth = [{ ...list, hits: [{ docid: 'forth', score: 1, rank: 1 }] }]
    expect((await readPoolOf(example!, onlyForth))('tower')).toBeUndefined()
  })

  it('forgets documents beyond a number, but none that it is asked for', async () => {
    const asked: (readonly string[])[] = []
    const find = finderOf(documents)
    const [example] = await collectExamples(
      [
        collection({
          documents(docids) {
            asked.push(docids)
            return find(docids)
          },
        }),
      ],
      { maxDocuments: 1 },
    )
    const list = (...docids: readonly string[]) => ({
      retriever: 'bm25',
      subQuery: { text: 'x', round: 1 } as const,
      hits: docids.map((docid, place) => ({ docid, score: 1, rank: place + 1 })),
    })
    const known = () =>
      ['forth', 'tower', 'fowler'].filter((docid) => example!.documentOf(docid) !== undefined)
    await example!.read([list('forth', 'tower')])
    await example!.read([list('tower', 'fowler')])
    expect(known()).toEqual(['tower', 'fowler'])
    expect(asked).toEqual([['forth', 'tower'], ['fowler']])
  })
})
