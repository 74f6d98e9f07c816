/** The proxy's own endpoints: whether it runs, its load, and whether the target answers. */
import type { IncomingMessage } from 'node:http'
import type { Load } from '../drop-in/run/load.ts'
import type { ProxyMetrics } from './metrics.ts'
import { ownAnswer } from './own-answer.ts'
import type { ProxyAnswer } from './send.ts'
import type { Target } from './target.ts'

/** Milliseconds that the target has to answer. */
const patience = 2000

/** The answer to a request about the proxy itself. `undefined` for all other requests. */
export function health(
  { url = '', method }: IncomingMessage,
  target: Target,
  load: Load,
  metrics: ProxyMetrics | undefined,
): ProxyAnswer | Promise<ProxyAnswer> | undefined {
  if (!url.startsWith('/_querent/')) return undefined
  if (method !== 'GET' && method !== 'HEAD') return ownAnswer(405, { status: 'only GET' })
  if (url === '/_querent/health') return ownAnswer(200, { status: 'ok' })
  if (url === '/_querent/load') return ownAnswer(200, load.counts)
  if (url === '/_querent/metrics' && metrics !== undefined) return metrics.answer()
  if (url !== '/_querent/ready')
    return ownAnswer(404, { status: 'there are /_querent/health, /_querent/load and /_querent/ready' })
  return ready(target)
}

async function ready(target: Target): Promise<ProxyAnswer> {
  try {
    const signal = AbortSignal.timeout(patience)
    const { statusCode, body } = await target.probe.request({
      path: target.pathOf('/'),
      method: 'HEAD',
      signal,
    })
    await body.dump()
    // A target that demands a password is up.
    return statusCode < 500
      ? ownAnswer(200, { status: 'ready' })
      : ownAnswer(503, { status: `the target answers with ${statusCode}` })
  } catch (error) {
    return ownAnswer(503, { status: `the target does not answer: ${(error as Error).message}` })
  }
}
