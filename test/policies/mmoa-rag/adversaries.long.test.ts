import { expect, it } from 'vitest'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { completion, type SeenRequest } from '../../support/chat-server.ts'
import { searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

testAnsweringPolicy(mmoa())

const { searchAll, expectPlain } = searchingWith(mmoa())
const isRewriting = ({ body }: SeenRequest): boolean =>
  (body.messages as readonly { readonly content: string }[])[0]!.content.startsWith('You prepare')

it('nine lines and more, numbers of no document, and an endless answer are as good as nothing', async () =>
  expectPlain(
    await searchAll((request) =>
      completion(isRewriting(request) ? 'one more\n'.repeat(9) : 'Document77,Document99 '.repeat(5000)),
    ),
  ))

it('prose is not searched, all documents of the question are read, and it is the answer', async () => {
  const prose = 'I am happy to help you with anything that you would like to know about bridges.'
  for (const { answer, citations, trace } of await searchAll(() => completion(prose))) {
    expect(answer).toBe(prose)
    expect(trace.subQueries.map(({ text }) => text)).toEqual([trace.query.text])
    expect(citations!.length).toBeGreaterThan(0)
  }
})

it('the same query for ever is searched once', async () => {
  const results = await searchAll((request) =>
    completion(isRewriting(request) ? 'a bridge\na Bridge\na  bridge' : 'unknown'),
  )
  for (const { trace } of results) expect(trace.subQueries.map(({ text }) => text)).toEqual(['a bridge'])
})
