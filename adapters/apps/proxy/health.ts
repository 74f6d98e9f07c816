/** Two addresses of the proxy’s own: whether it runs, and whether the target answers. */
import type { IncomingMessage } from 'node:http'
import type { ProxyAnswer } from './ask.ts'
import type { Target } from './target.ts'

/** Milliseconds that the target has to answer. */
const patience = 2000

/** The answer to a request that is about the proxy; undefined for all others. */
export function health(
  { url = '', method }: IncomingMessage,
  target: Target,
): ProxyAnswer | Promise<ProxyAnswer> | undefined {
  if (!url.startsWith('/_querent/')) return undefined
  if (method !== 'GET' && method !== 'HEAD') return said(405, { status: 'only GET' })
  if (url === '/_querent/health') return said(200, { status: 'ok' })
  if (url !== '/_querent/ready')
    return said(404, { status: 'there are /_querent/health and /_querent/ready' })
  return ready(target)
}

async function ready(target: Target): Promise<ProxyAnswer> {
  try {
    const signal = AbortSignal.timeout(patience)
    const { statusCode, body } = await target.pool.request({
      path: target.pathOf('/'),
      method: 'HEAD',
      signal,
    })
    await body.dump()
    // Whoever asks for a password answers.
    return statusCode < 500
      ? said(200, { status: 'ready' })
      : said(503, { status: `the target answers with ${statusCode}` })
  } catch (error) {
    return said(503, { status: `the target does not answer: ${(error as Error).message}` })
  }
}

function said(status: number, what: object): ProxyAnswer {
  const bytes = Buffer.from(JSON.stringify(what))
  const headers = ['content-type', 'application/json', 'content-length', String(bytes.length)]
  return { status, message: '', headers, bytes }
}
