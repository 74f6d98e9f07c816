/** The shipped policies for words: which one decides and re-ranks goes by the titles of what was found first. */
import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { byTitles, haveTitles } from '../../../policies/local/by-titles.ts'
import type { LocalWork } from '../../../policies/local/in-process.ts'
import { type LocalPolicyOptions, localPolicy } from '../../../policies/local/local-policy.ts'
import { shippedPath } from '../../../policies/local/shipped.ts'
import { answeredLists } from '../../../src/explain.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Document, Query, RankedList } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { settled } from '../../support/manual-clock.ts'
import { sampleDocuments } from '../../support/small-policy.ts'

const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'
const titled = await sampleDocuments()
const untitled = titled.map(({ title: _, ...document }): Document => document)

/** What a search found and decided, without its times. */
async function searched(documents: readonly Document[], options: LocalPolicyOptions) {
  const made = await localPolicy(options)
  const optimizer = createOptimizer({
    retrievers: [await buildWinkBm25(documents)],
    documents: finderOf(documents),
    ...made,
  })
  const { hits, trace } = await optimizer.search(question)
  await made.policy.close!()
  return { hits, kind: trace.kind, reason: trace.reason, subQueries: trace.subQueries }
}

describe('localPolicy without a file', () => {
  it.each([
    ['with titles', titled, 'bm25', 'bm25-untitled'],
    ['without titles', untitled, 'bm25-untitled', 'bm25'],
  ] as const)('searches documents %s with the policy for them', async (_, documents, own, other) => {
    const shipped = await searched(documents, {})
    expect(shipped).toEqual(await searched(documents, { file: shippedPath(own) }))
    expect(shipped).not.toEqual(await searched(documents, { file: shippedPath(other) }))
  })

  it('explains a search by the policy that ranked it', async () => {
    const byDocid = new Map(untitled.map((document) => [document.docid, document]))
    const reasonsOf = async (options: LocalPolicyOptions) => {
      const made = await localPolicy(options)
      const optimizer = createOptimizer({
        retrievers: [await buildWinkBm25(untitled)],
        documents: finderOf(untitled),
        ...made,
      })
      const { trace } = await optimizer.search(question)
      return made.rerank!.explain!({ text: question }, answeredLists(trace), (docid) => byDocid.get(docid))
    }
    const reasons = await reasonsOf({})
    expect(reasons.length).toBeGreaterThan(5)
    expect(reasons).toEqual(await reasonsOf({ file: shippedPath('bm25-untitled') }))
  })
})

const query: Query = { text: 'words' }

/** One list of documents with these titles, and where to find them. */
function found(...titles: (string | undefined)[]) {
  const documents = titles.map((title, place): Document => {
    return { docid: `d${place}`, text: 'text', ...(title !== undefined && { title }) }
  })
  const hits = documents.map(({ docid }, place) => ({ docid, score: 9 - place, rank: place + 1 }))
  const lists: RankedList[] = [{ retriever: 'words', subQuery: { text: query.text, round: 0 }, hits }]
  return { lists, documentOf: (docid: string) => documents.find((document) => document.docid === docid) }
}

describe('haveTitles', () => {
  const judged = (...titles: (string | undefined)[]): boolean => {
    const { lists, documentOf } = found(...titles)
    return haveTitles(query, lists, documentOf)
  }

  it('goes by half of the first ten documents', () => {
    expect(judged('a', 'b', undefined)).toBe(true)
    expect(judged('a', undefined)).toBe(true)
    expect(judged('a', undefined, undefined)).toBe(false)
    expect(judged(...Array<undefined>(10).fill(undefined), ...Array<string>(30).fill('title'))).toBe(false)
  })

  it('goes by what the query itself found: the policy that decided re-ranks too', () => {
    const { lists, documentOf } = found(undefined, undefined, 'a', 'b', 'c')
    const hits = lists[0]!.hits
    const own = { ...lists[0]!, hits: hits.slice(0, 2) }
    const more = { ...own, subQuery: { text: 'more', round: 1 }, hits: hits.slice(2) }
    expect(haveTitles(query, [own, more], documentOf)).toBe(false)
  })

  it('takes an empty title for none, and no documents for titled ones', () => {
    expect(judged('', ' ')).toBe(false)
    expect(judged()).toBe(true)
    expect(haveTitles(query, found(undefined).lists, () => undefined)).toBe(true)
  })
})

describe('byTitles', () => {
  const { lists, documentOf } = found(undefined)
  const work = (name: string, closed: string[] = []): LocalWork => ({
    decide: () => ({ texts: [], withOriginal: true, reason: name }),
    widen: () => [{ text: name }],
    scores: () => ({ scores: Float64Array.of(name.length) }),
    explain: () => [],
    close: async () => void closed.push(name),
  })

  it('opens the second policy with the first search that needs it, once, and closes both', async () => {
    const closed: string[] = []
    let opened = 0
    const both = byTitles(work('titled', closed), async () => {
      opened++
      return work('untitled', closed)
    })
    const named = found('a title')
    expect(await both.decide!(query, named.lists, named.documentOf, 15)).toMatchObject({
      reason: 'titled',
    })
    expect(opened).toBe(0)
    const decided = await Promise.all([1, 2].map(() => both.decide!(query, lists, documentOf, 15)))
    expect(decided.map(({ reason }) => reason)).toEqual(['untitled', 'untitled'])
    expect(await both.widen!(query, lists, documentOf, [])).toEqual([{ text: 'untitled' }])
    expect((await both.scores!(query, lists, documentOf)).scores).toEqual(Float64Array.of(8))
    expect(opened).toBe(1)
    await both.close!()
    expect(closed.sort()).toEqual(['titled', 'untitled'])
  })

  it('closes what it opened, and only that', async () => {
    const closed: string[] = []
    await byTitles(work('titled', closed), async () => work('untitled', closed)).close!()
    expect(closed).toEqual(['titled'])
  })

  it('fails where the second policy cannot be opened: the search falls back', async () => {
    const both = byTitles(work('titled'), async () => {
      throw new Error('no such file')
    })
    await expect(both.scores!(query, lists, documentOf)).rejects.toThrow('no such file')
    await both.close!()
  })

  it('has closed both when it tells that one could not be closed', async () => {
    const closed: string[] = []
    const stuck = async () => {
      throw new Error('stuck')
    }
    const both = byTitles({ ...work('titled'), close: stuck }, async () => ({
      ...work('untitled'),
      async close() {
        await settled()
        closed.push('untitled')
      },
    }))
    await both.decide!(query, lists, documentOf, 15)
    await expect(both.close!()).rejects.toThrow('stuck')
    expect(closed).toEqual(['untitled'])
  })

  it('tries again with the next search, and closes what it then opened', async () => {
    const closed: string[] = []
    let tries = 0
    const both = byTitles(work('titled', closed), async () => {
      if (++tries === 1) throw new Error('too many open files')
      return work('untitled', closed)
    })
    const decide = () => both.decide!(query, lists, documentOf, 15)
    // Searches at the same time share an attempt.
    for (const { status } of await Promise.allSettled([decide(), decide()])) expect(status).toBe('rejected')
    expect(tries).toBe(1)
    expect((await decide()).reason).toBe('untitled')
    expect((await decide()).reason).toBe('untitled')
    expect(tries).toBe(2)
    await both.close!()
    expect(closed.sort()).toEqual(['titled', 'untitled'])
  })
})
