/** Pages of one search are slices of one list, also while others ask for more than one process can do. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { crowd } from '../support/crowd.ts'
import { isFull } from '../support/tier.ts'
import { createSampleIndex, type SampleIndex } from './sample-index.ts'

const [searches, pages, size, runs] = [40, 3, 10, isFull ? 10 : 1]

interface Page {
  readonly ids: readonly string[]
  readonly said: string
}

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  let index: SampleIndex
  let proxy: Awaited<ReturnType<typeof createProxy>>
  let url = ''
  let texts: readonly string[] = []

  beforeAll(async () => {
    index = await createSampleIndex(inject(kind))
    // One search at a time, so that there is too much to do on a fast machine, too.
    proxy = await createProxy({ target: inject(kind), concurrency: 1 })
    url = await proxy.listen(0)
    const lines = (await readFile('src/sample/queries.jsonl', 'utf8')).trim().split('\n')
    texts = lines.map((line) => (JSON.parse(line) as { readonly text: string }).text)
  })
  afterAll(async () => {
    await proxy.close()
    await index.delete()
  })

  async function page(query: string, from: number): Promise<Page> {
    const response = await fetch(`${url}/${index.name}/_search`, {
      method: 'POST',
      body: JSON.stringify({ from, size, query: { multi_match: { query, fields: ['title', 'text'] } } }),
      headers: { 'content-type': 'application/json', 'x-querent-explain': 'header' },
    })
    const { hits } = (await response.json()) as { hits: { hits: { _id: string }[] } }
    return { ids: hits.hits.map(({ _id }) => _id), said: response.headers.get('x-querent') ?? '' }
  }

  it(`${searches} searches of ${pages} pages have no hit twice beside six other clients, ${runs} times`, async () => {
    for (let run = 0; run < runs; run++) {
      let isOver = false
      const others = (async () => {
        const ends: string[] = []
        while (!isOver) {
          // Words that nobody has searched before: what is remembered of a search does not help.
          const anew = texts.map((text) => `${text} ${Math.random().toString(36).slice(2, 6)}`)
          ends.push(...(await crowd({ url, index: index.name, texts: anew, clients: 6, ms: 500 })).ends)
        }
        return ends
      })()
      const twice: string[] = []
      for (let at = 0; at < searches; at++) {
        const text = `${texts[at % texts.length]} ${run} ${at}`
        const read: Page[] = []
        for (let place = 0; place < pages; place++) read.push(await page(text, place * size))
        const ids = read.flatMap((one) => one.ids)
        if (new Set(ids).size < ids.length) twice.push(`${text}: ${read.map(({ said }) => said).join(' | ')}`)
      }
      isOver = true
      const ends = await others
      expect(twice, twice.join('\n')).toEqual([])
      // Otherwise there would have been no load.
      expect(ends.some((end) => end.startsWith('passed through: '))).toBe(true)
    }
  })
})
