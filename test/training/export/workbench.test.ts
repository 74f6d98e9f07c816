import { expect, it } from 'vitest'
import { workbenchDocument } from '../../../src/training/export/workbench.ts'
import type { Query } from '../../../src/types.ts'

const queries: readonly Query[] = [
  { qid: 'q1', text: 'red dress' },
  { qid: 'q2', text: 'blue  jeans\n' },
  { qid: 'q3', text: 'red dress' },
  { qid: 'q4', text: 'and in green?', history: [{ role: 'user', text: 'red dress' }] },
  { qid: 'q5', text: '10" screens' },
  { qid: 'q6', text: 'a'.repeat(2001) },
  { qid: 'unjudged', text: 'shoes' },
]
const grades = (entries: Readonly<Record<string, number>>) => new Map(Object.entries(entries))
const qrels = new Map([
  ['q1', grades({ B077ZJXCTS: 3, B01IDSPDJI: 0 })],
  ['q2', grades({ B07L9V4Y98: 1 })],
  ['q3', grades({ B077ZJXCTS: 1, B01IDSPDJI: 2 })],
  ['q4', grades({ B077ZJXCTS: 1 })],
  ['q5', grades({ B077ZJXCTS: 1 })],
  ['q6', grades({ B077ZJXCTS: 1 })],
])
const counts = { queries: 2, conversations: 1, refused: 2 }

// Both bodies are those of the examples in OpenSearch's documentation of the workbench.
it('writes a query set', () => {
  expect(workbenchDocument('query-set', queries, qrels, `shop "test" ${'x'.repeat(60)}`)).toEqual({
    ...counts,
    body: {
      name: `shop  test  ${'x'.repeat(38)}`,
      description: 'Written by querent export',
      sampling: 'manual',
      querySetQueries: [{ queryText: 'red dress' }, { queryText: 'blue jeans' }],
    },
  })
})

it('writes judgments under the same texts, with the highest grade of each document', () => {
  expect(workbenchDocument('judgments', queries, qrels, 'shop test')).toEqual({
    ...counts,
    body: {
      name: 'shop test',
      description: 'Written by querent export',
      type: 'IMPORT_JUDGMENT',
      judgmentRatings: [
        {
          query: 'red dress',
          ratings: [
            { docId: 'B077ZJXCTS', rating: '3.000' },
            { docId: 'B01IDSPDJI', rating: '2.000' },
          ],
        },
        { query: 'blue jeans', ratings: [{ docId: 'B07L9V4Y98', rating: '1.000' }] },
      ],
    },
  })
})
