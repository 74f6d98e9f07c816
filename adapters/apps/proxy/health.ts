/** The proxy's own endpoints: whether it runs, its load, and whether the target answers. */
import type { IncomingMessage } from 'node:http'
import type { Load } from '../drop-in/run/load.ts'
import type { ProxyMetrics } from './metrics.ts'
import { ownAnswer } from './own-answer.ts'
import { pathOf } from './request-url.ts'
import type { ProxyAnswer } from './send.ts'
import type { Target } from './target.ts'

/** Milliseconds that the target has to answer. */
const patience = 2000

interface OwnState {
  readonly target: Target
  readonly load: Load
  readonly metrics: ProxyMetrics | undefined
  /** Further paths that the proxy answers. */
  readonly pages: readonly string[]
  /** Resolves when the policy has started its threads. */
  readonly warming: Promise<void>
}

/** The answer to a request about the proxy itself. `undefined` for all other requests. Parameters have no meaning: probes add some. */
export function health(
  { url = '', method }: IncomingMessage,
  { target, load, metrics, pages, warming }: OwnState,
): ProxyAnswer | Promise<ProxyAnswer> | undefined {
  if (!url.startsWith('/_querent/')) return undefined
  if (method !== 'GET' && method !== 'HEAD') return ownAnswer(405, { status: 'only GET' })
  const path = pathOf(url)
  if (path === '/_querent/health') return ownAnswer(200, { status: 'ok' })
  if (path === '/_querent/ready') return warming.then(() => ready(target))
  if (path === '/_querent/load') return ownAnswer(200, load.counts)
  if (path === '/_querent/metrics' && metrics !== undefined) return metrics.answer()
  const others = [...(metrics === undefined ? [] : ['/_querent/metrics']), ...pages]
  const known = ['/_querent/health', '/_querent/ready', '/_querent/load', ...others]
  return ownAnswer(404, { status: `there are ${known.slice(0, -1).join(', ')} and ${known.at(-1)}` })
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
