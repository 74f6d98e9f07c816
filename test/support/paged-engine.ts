/** An engine on loopback with pages, for processes that search it. */
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { capsOf, found, wordsIn } from './fake-engine.ts'
import { startLoopbackServer } from './loopback-server.ts'

/** An engine that finds fifty documents for any words, named after them. */
export async function startPagedEngine(): Promise<string> {
  const answer = (line: string) => {
    const body = JSON.parse(line)
    const words = wordsIn(body)
    const places = Array.from({ length: Math.min(50, body.size ?? 10) }, (_, at) => (body.from ?? 0) + at)
    const hits = found(...places.map((place) => `${words}: ${place}`))
    const shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
    const total = { value: 50, relation: 'eq' }
    return { took: 1, timed_out: false, _shards: shards, hits: { total, max_score: 1, hits }, status: 200 }
  }
  const { url, close } = await startLoopbackServer(async (asked, response) => {
    const body = (await buffer(asked)).toString()
    const { pathname, searchParams } = new URL(asked.url!, 'http://engine')
    const lines = body.trimEnd().split('\n')
    const result = pathname.includes('_field_caps')
      ? capsOf({ url: Object.fromEntries(searchParams) } as Parameters<typeof capsOf>[0]).body
      : pathname.includes('_msearch')
        ? { took: 1, responses: lines.filter((_, at) => at % 2 === 1).map(answer) }
        : answer(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
  })
  onTestFinished(close)
  return url
}
