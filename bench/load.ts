/**
 * How much one proxy process does before a real Elasticsearch, what it sheds, and what becomes of everything else meanwhile:
 * `npm run build && npx tsx bench/load.ts <judged collection> [seconds]`. Searchers are as fast as they can be; `direct` is
 * the same load on the engine itself, in turn with the proxy's. `QUERENT_ELASTICSEARCH_URL` names a server to use.
 */
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import type { Document } from '../src/types.ts'
import { type Crowd, crowd, probes } from '../test/support/crowd.ts'
import { withIndex } from './elasticsearch.ts'
import { startRole } from './engine-roles.ts'
import { print } from './print.ts'

const [, , folder, seconds = '10'] = process.argv
if (folder === undefined) throw new Error('Which judged collection? A folder in the BEIR layout')
const index = 'querent-load'
const ms = Number(seconds) * 1000
const documents: Document[] = []
for await (const document of readCorpus(await findCorpus(folder))) documents.push(document)
const texts = (await readBeir(folder)).queries.map(({ text }) => text)

await withIndex(index, documents, async (_, direct) => {
  const proxy = await startRole('querent', direct)
  const ways = { direct, proxy: proxy.url }
  try {
    await crowd({ url: proxy.url, index, texts, clients: 8, ms })
    const rows = []
    for (const clients of [8, 32, 128])
      for (const [way, url] of Object.entries(ways))
        rows.push(rowOf(way, clients, await crowd({ url, index, texts, clients, ms })))
    print({
      name: 'load',
      rows,
      notes: ['late: searches of which a leg was called late or the engine left alone.'],
    })
    const beside = []
    for (const [way, url] of Object.entries(ways)) {
      const gone = new AbortController()
      const searching = crowd({ url, index, texts, clients: 64, ms })
      void searching.then(() => gone.abort())
      const [get, health] = await Promise.all([
        probes(`${url}/_cat/count`, gone.signal),
        probes(`${proxy.url}/_querent/health`, gone.signal),
      ])
      beside.push({
        case: `${way}, beside 64 searchers`,
        'GET p50': Math.round(get.p50),
        'GET p95': Math.round(get.p95),
        'health p50': Math.round(health.p50),
        'health max': Math.round(health.max),
      })
      await searching
    }
    print({
      name: 'beside',
      rows: beside,
      notes: ['Milliseconds; 20 requests a second, one after the other.'],
    })
  } finally {
    proxy.stop()
  }
})

function rowOf(way: string, clients: number, { ends, p50, p95, perSecond }: Crowd) {
  const count = ends.length
  const share = (what: RegExp): string =>
    `${Math.round((100 * ends.filter((end) => what.test(end)).length) / count)} %`
  const late = ends.filter((end) => / deadline: |left alone/.test(end)).length
  return {
    case: `${way}, ${clients} clients`,
    searches: count,
    'per second': Math.round(perSecond),
    p50: Math.round(p50),
    p95: Math.round(p95),
    optimized: way === 'direct' ? '' : share(/^(un)?changed/),
    shed: way === 'direct' ? '' : share(/^passed through/),
    failed: ends.filter((end) => /^failed|^[45]/.test(end)).length,
    late,
  }
}
