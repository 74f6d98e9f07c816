import { describe, expect, it } from 'vitest'
import type { DocumentStore } from '../../../../../src/index-folder/documents.ts'
import { deferred } from '../../../../support/held.ts'
import { manualClock, settled } from '../../../../support/manual-clock.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { openedIndex, testServer } from '../opened.ts'

describe('POST /retrieve, as ConvSearch-R1 asks', () => {
  const found = { first: ['dune', 'emma'], second: ['x', 'emma', 'dune'], none: [] }
  const retrievers = [scriptedRetriever({ found })]
  const body = {
    queries: ['first', 'second', 'none'],
    query_ids: ['q2', 'q2', 'q2'],
    topk: 100,
    return_scores: false,
  }

  it("answers with the best rank of each query's place, although ids repeat", async () => {
    const { post } = await testServer({ retrievers })
    expect((await post('/retrieve', body)).body).toEqual({ result: [1, 2, -1] })
  })

  it('adds the scores where they are wanted', async () => {
    const { post } = await testServer({ retrievers })
    const { body: said } = await post('/retrieve', { ...body, return_scores: true })
    expect(said).toEqual({
      result: [
        [1, 2, -1],
        [[2, 1], [3, 2, 1], []],
      ],
    })
  })

  it('cuts queries to the words asked for', async () => {
    const { post } = await testServer({ retrievers })
    const cut = { queries: ['first of many words'], query_ids: ['q1'], topk: 100, max_length: 1 }
    expect((await post('/retrieve', cut)).body).toEqual({ result: [1] })
  })

  it('refuses ids without judgments, since −1 would be a lie', async () => {
    const { post } = await testServer({ retrievers })
    const { status, body: said } = await post('/retrieve', { ...body, query_ids: ['q1', 'q9', 'q1'] })
    expect([status, said.errors]).toEqual([422, [{ index: 1, error: expect.stringContaining('"q9"') }]])
  })
})

describe('POST /retrieve, as Search-R1 asks', () => {
  it('answers with documents, the title in quotes in the first line', async () => {
    const { post } = await testServer()
    const { body } = await post('/retrieve', {
      queries: ['desert planet', 'Tacoma', 'zebra'],
      topk: 1,
      return_scores: true,
    })
    expect(body.result).toEqual([
      [
        {
          document: { id: 'dune', contents: '"Dune"\nA novel of a desert planet, written by Frank Herbert.' },
          score: expect.any(Number),
        },
      ],
      [
        {
          document: { id: 'herbert', contents: '"Frank Herbert"\nAn American writer, born in Tacoma.' },
          score: expect.any(Number),
        },
      ],
      [],
    ])
  })

  it("gives bare documents to slime's example, which reads the title from the first line", async () => {
    const { post } = await testServer()
    const asked = { queries: ['desert planet'], topk: 5, return_scores: false }
    const { body } = await post('/retrieve', asked)
    const contents = body.result[0].map((one: { contents: string }) => one.contents.split('\n', 1)[0])
    expect(contents[0]).toBe('"Dune"')
  })

  it('gives three documents, bare, where nothing is asked for', async () => {
    const { post } = await testServer({
      retrievers: [scriptedRetriever({ found: { a: ['dune', 'emma', 'austen', 'herbert'] } })],
    })
    const { body } = await post('/retrieve', { queries: ['a'] })
    expect(body.result[0].map(({ id }: { id: string }) => id)).toEqual(['dune', 'emma', 'austen'])
  })

  it('merges the lists of several retrievers', async () => {
    const retrievers = [
      scriptedRetriever({ found: { a: ['dune', 'emma'] } }),
      scriptedRetriever({ name: 'dense', found: { a: ['austen', 'emma'] } }),
    ]
    const { post } = await testServer({ retrievers })
    // Σ 1/rank: emma 1/2 + 1/2, dune 1, austen 1; the min-max scores are 1, 1 and 0.
    const { body } = await post('/retrieve', { queries: ['a'], topk: 3 })
    expect(body.result[0].map(({ id }: { id: string }) => id)).toEqual(['austen', 'dune', 'emma'])
  })

  it('says that a retriever failed', async () => {
    const { post } = await testServer({ retrievers: [scriptedRetriever({ fails: new Error('no memory') })] })
    const { status, body } = await post('/retrieve', { queries: ['a'] })
    expect([status, body.error]).toEqual([503, expect.stringContaining('no memory')])
  })

  describe('reads documents', () => {
    const found = { a: ['dune'], b: ['emma'], c: ['austen'] }

    async function readingWith(get: DocumentStore['get']) {
      const index = await openedIndex([scriptedRetriever({ found })])
      return { ...index, documents: { ...index.documents, get } }
    }

    it('of one query after the other', async () => {
      const { documents } = await openedIndex()
      let [reading, most] = [0, 0]
      const index = await readingWith(async (docids) => {
        most = Math.max(most, ++reading)
        await settled()
        reading--
        return documents.get(docids)
      })
      const { post } = await testServer({ index })
      const { body } = await post('/retrieve', { queries: ['a', 'b', 'c'] })
      expect(body.result.map(([{ id }]: [{ id: string }]) => id)).toEqual(['dune', 'emma', 'austen'])
      expect(most).toBe(1)
    })

    it('until nobody waits for them any more', async () => {
      const [clock, asked] = [manualClock(), deferred()]
      const calls: (readonly string[])[] = []
      const index = await readingWith((docids) => {
        calls.push(docids)
        asked.resolve()
        return new Promise(() => {})
      })
      const { post } = await testServer({ index, clock, timeout: 500 })
      const answered = post('/retrieve', { queries: ['a', 'b'] })
      await asked.promise
      await clock.advance(500)
      expect((await answered).status).toBe(504)
      expect(calls).toEqual([['dune']])
    })

    it('no more than an answer can hold', async () => {
      const text = 'x'.repeat(2 ** 20)
      const index = await readingWith(async (docids) => docids.map((docid) => ({ docid, text })))
      const { post } = await testServer({ index })
      const { status, body } = await post('/retrieve', { queries: Array(64).fill('a') })
      expect([status, body.error]).toEqual([413, expect.any(String)])
    })
  })
})
