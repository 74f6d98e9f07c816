/** Many callers of one address who search as fast as they are answered, and somebody who only asks how it is. */
import { Agent, request } from 'undici'
import { quantile } from '../../src/learn/statistics.ts'

export interface Crowd {
  /** What became of each search, as the proxy says; the status where it is none, or is not 200. */
  readonly ends: readonly string[]
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly perSecond: number
}

export interface CrowdOptions {
  readonly url: string
  readonly index: string
  readonly texts: readonly string[]
  readonly clients: number
  /** How long they search. */
  readonly ms: number
  /** More headers of each search. */
  readonly headers?: Readonly<Record<string, string>>
}

export async function crowd({ url, index, texts, clients, ms, headers: more }: CrowdOptions): Promise<Crowd> {
  const dispatcher = new Agent({ connections: clients })
  const [times, ends]: [number[], string[]] = [[], []]
  const start = performance.now()
  let next = 0
  async function caller(): Promise<void> {
    while (performance.now() - start < ms) {
      const query = { multi_match: { query: texts[next++ % texts.length], fields: ['title', 'text'] } }
      const sent = performance.now()
      const { statusCode, headers, body } = await request(`${url}/${index}/_search`, {
        dispatcher,
        method: 'POST',
        body: JSON.stringify({ size: 10, query }),
        headers: { 'content-type': 'application/json', 'x-querent-explain': 'header', ...more },
      })
      await body.dump()
      times.push(performance.now() - sent)
      ends.push(statusCode === 200 ? String(headers['x-querent'] ?? 200) : String(statusCode))
    }
  }
  await Promise.all(Array.from({ length: clients }, caller))
  const perSecond = (ends.length * 1000) / (performance.now() - start)
  await dispatcher.close()
  times.sort((a, b) => a - b)
  return { ends, p50: quantile(times, 0.5), p95: quantile(times, 0.95), perSecond }
}

/** Asks some 20 times a second, one after the other, until the signal aborts. */
export async function probes(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly p50: number; readonly p95: number; readonly max: number }> {
  const dispatcher = new Agent({ connections: 1 })
  const times: number[] = []
  while (!signal.aborted || times.length === 0) {
    const sent = performance.now()
    const { body } = await request(url, { dispatcher })
    await body.dump()
    times.push(performance.now() - sent)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await dispatcher.close()
  times.sort((a, b) => a - b)
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), max: times.at(-1)! }
}
