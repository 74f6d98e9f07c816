/** The signal of a search goes with its work: what waits for a thread is not done for a search that has ended. */
import { expect, it } from 'vitest'
import { byTitles } from '../../../../policies/local/by-titles.ts'
import type { LocalWork } from '../../../../policies/local/in-process.ts'
import { deciding } from '../../../../policies/local/local.ts'
import { scoredBy } from '../../../../policies/local/rerank/rerank.ts'
import { widening } from '../../../../policies/local/with-wider-pool.ts'
import { finderOf } from '../../../support/finder.ts'
import { hits, scriptedRetriever } from '../../../support/scripted.ts'
import { searchTools } from '../../../support/search-tools.ts'

const query = { text: 'who' }
const document = { docid: 'a', title: 'A', text: 'A text.' }

/** The work that a search asks for, and which signal each part of it gets. */
function noted(): { readonly work: Required<LocalWork>; readonly signals: Map<string, unknown> } {
  const signals = new Map<string, unknown>()
  const work = byTitles(
    {
      decide(_query, _lists, _documentOf, _maxTexts, signal) {
        signals.set('decide', signal)
        return { texts: [], withOriginal: true, reason: 'left alone' }
      },
      widen(_query, _lists, _documentOf, _subQueries, signal) {
        signals.set('widen', signal)
        return []
      },
      scores(_query, _lists, _documentOf, signal) {
        signals.set('scores', signal)
        return { scores: Float64Array.of(1) }
      },
      explain: () => [],
    },
    () => Promise.reject(new Error('all documents have titles')),
  )
  return { work: work as Required<LocalWork>, signals }
}

it('has the signal of its search, whatever is asked of it', async () => {
  const { work, signals } = noted()
  const { signal } = new AbortController()
  const reranker = scoredBy(work.scores, work.explain)
  const retriever = scriptedRetriever({ found: { who: ['a'] } })
  const { tools } = searchTools({ signal, retriever, findDocuments: finderOf([document]) })

  await deciding(work.decide).run(query, tools)
  const splitting = widening(
    {
      name: 'splitting',
      run: async (_query, { retrieve, fuse }) => ({
        hits: fuse(await retrieve([{ text: 'one' }, { text: 'two' }], { reason: 'split' })),
      }),
    },
    work.widen,
  )
  await splitting.run(query, searchTools({ signal, retriever, findDocuments: finderOf([document]) }).tools)
  const list = { retriever: 'bm25', subQuery: { text: 'who', round: 0 }, hits: hits('a') }
  await reranker.rerank(query, [list], list.hits, () => document, { signal })

  expect([...signals.keys()]).toEqual(['decide', 'widen', 'scores'])
  for (const given of signals.values()) expect(given).toBe(signal)
})
