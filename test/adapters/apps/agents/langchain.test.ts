/** The retriever in LangChain.js itself. */
import { EnsembleRetriever } from '@langchain/classic/retrievers/ensemble'
import { BaseRetriever } from '@langchain/core/retrievers'
import { describe, expect, it } from 'vitest'
import { langchainRetriever } from '../../../../adapters/apps/agents/langchain.ts'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { expectError } from '../../../support/expect-error.ts'
import { heldRetriever } from '../../../support/held.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'

const bm25 = await buildWinkBm25([
  {
    docid: 'dune',
    title: 'Dune',
    text: 'A novel of a desert planet, written by Frank Herbert.',
    metadata: { year: 1965 },
  },
  { docid: 'emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
])
const optimizer = createOptimizer({ retrievers: [bm25] })
const idsOf = (found: readonly { readonly id?: string | undefined }[]) => found.map(({ id }) => id)

describe('the retriever', () => {
  it('is one of LangChain, and finds documents', async () => {
    const retriever = await langchainRetriever({ optimizer })
    expect(retriever).toBeInstanceOf(BaseRetriever)
    const [first, ...others] = await retriever.invoke('desert planet')
    expect(others).toEqual([])
    expect(first).toMatchObject({
      id: 'dune',
      pageContent: 'A novel of a desert planet, written by Frank Herbert.',
      metadata: { year: 1965, title: 'Dune', rank: 1, score: expect.any(Number) },
    })
    expect(await langchainRetriever({ optimizer, k: 1 }).then((one) => one.invoke('novel'))).toHaveLength(1)
  })

  it('works in chains, in batches and in an ensemble', async () => {
    const retriever = await langchainRetriever({ optimizer })
    expect(await retriever.pipe((found) => idsOf(found)).invoke('desert')).toEqual(['dune'])
    expect((await retriever.batch(['desert', 'matchmaker'])).map(idsOf)).toEqual([['dune'], ['emma']])
    const ensemble = new EnsembleRetriever({ retrievers: [retriever, retriever], weights: [0.5, 0.5] })
    expect(idsOf(await ensemble.invoke('matchmaker'))).toEqual(['emma'])
  })

  it('tells callbacks, tags and names, with a signal and without', async () => {
    const seen: unknown[] = []
    const callbacks = [
      {
        handleRetrieverStart: (_: unknown, query: string, ...[, , tags]: readonly unknown[]) =>
          void seen.push([query, tags]),
        handleRetrieverEnd: (found: readonly { readonly id?: string | undefined }[]) =>
          void seen.push(idsOf(found)),
      },
    ]
    const retriever = await langchainRetriever({ optimizer, tags: ['books'], callbacks })
    await retriever.invoke('desert')
    await retriever.invoke('desert', { signal: new AbortController().signal })
    expect(seen).toEqual([['desert', ['books']], ['dune'], ['desert', ['books']], ['dune']])
    expect(retriever.getName()).toBe('QuerentRetriever')
  })

  it('passes the filter on', async () => {
    const scripted = scriptedRetriever({ found: { a: ['x'] } })
    const filter = { term: { tenant: 7 } }
    const retriever = await langchainRetriever({
      optimizer: createOptimizer({ retrievers: [scripted] }),
      filter,
    })
    expect(await retriever.invoke('a')).toMatchObject([{ id: 'x', pageContent: '' }])
    expect(scripted.calls[0]?.options.filter).toEqual(filter)
  })

  it('ends its search when the call is aborted', async () => {
    const [user, hanging] = [new AbortController(), heldRetriever()]
    const retriever = await langchainRetriever({ optimizer: createOptimizer({ retrievers: [hanging] }) })
    const searching = retriever.invoke('a', { signal: user.signal })
    const signal = await hanging.asked
    user.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
    expect(signal.aborted).toBe(true)
  })

  it('names wrong options', async () => {
    await expectError(langchainRetriever({ optimizer, k: 0 }), 'bad-config', /langchainRetriever: k/)
  })
})
