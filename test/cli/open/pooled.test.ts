import { expect, it } from 'vitest'
import { pooled } from '../../../src/cli/open/pooled.ts'
import type { OpenedIndex } from '../../../src/index-folder/open.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { testTerminal } from '../../support/test-terminal.ts'

it('takes the first hits of each retriever alone and of the local policy, and what people judged', async () => {
  const found = { bm25: ['w1', 'w2', 'w3', 'gone'], dense: ['v1', 'w2', 'v2', 'v3'] }
  const retrievers = Object.entries(found).map(([name, docids]) =>
    scriptedRetriever({ name, found: { harbor: docids } }),
  )
  const documents = ['w1', 'w2', 'w3', 'v1', 'v2', 'v3', 'judged', 'other'].map((docid) => ({
    docid,
    text: docid,
  }))
  const index = { retrievers, documents: { get: finderOf(documents) } } as unknown as OpenedIndex
  const queries = ['q1', 'q2'].map((qid) => ({ qid, text: qid === 'q1' ? 'harbor' : 'nothing' }))
  const people = new Map([['q1', new Map([['judged', 0], ['lost', 1]])]]) // biome-ignore format: a table
  const pairs = await pooled(queries, people, index, { k: 2 }, testTerminal())
  // Fused, w2 and one of the first of both lists come first.
  const docids = pairs.map(({ query, document }) => `${query.qid} ${document.docid}`)
  expect(docids.toSorted()).toEqual(['q1 judged', 'q1 v1', 'q1 w1', 'q1 w2'])
  expect(
    (await pooled(queries, new Map(), index, { k: 3 }, testTerminal()))
      .map(({ document }) => document.docid)
      .toSorted(),
  ).toEqual(['v1', 'v2', 'w1', 'w2', 'w3'])
})
