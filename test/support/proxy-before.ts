import { onTestFinished } from 'vitest'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import { answerOf, found } from './fake-engine.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingOptions,
  type RecordingServer,
  startRecordingServer,
} from './recording-server.ts'
import { deciding, patient } from './scripted-policy.ts'

/** The header of a body that is JSON. */
export const json = ['content-type', 'application/json'] as const

/** A body that asks a question. */
export const query = JSON.stringify({ query: { match: { text: 'a question of somebody' } } })

/** An engine that finds this page for all that is searched, and whose fields are texts. */
export const engineWith =
  (page: object) =>
  ({ path, body }: RecordedRequest): Answer => {
    const [lines, text] = [String(body).trimEnd().split('\n').length, { text: { type: 'text' } }]
    const responses = Array.from({ length: Math.floor(lines / 2) }, () => page)
    const isBatch = path.includes('_msearch')
    const answer = path.includes('_field_caps')
      ? { fields: { text } }
      : isBatch
        ? { took: 1, responses }
        : page
    return { headers: [...json], body: JSON.stringify(answer) }
  }

export const page = answerOf(found('a', 'b'))
export const engine = engineWith(page)

interface ProxyBefore {
  readonly upstream: RecordingServer
  readonly proxy: Awaited<ReturnType<typeof createProxy>>
  readonly url: string
}

/**
 * A proxy that optimizes every search, before an upstream that answers so; both end with the test.
 *
 * @param before the path of the target
 */
export async function proxyBefore(
  answer: Answer | ((request: RecordedRequest) => Answer),
  options: Partial<ProxyOptions> = {},
  { before = '', ...recording }: RecordingOptions & { readonly before?: string } = {},
): Promise<ProxyBefore> {
  const upstream = await startRecordingServer(answer, recording)
  const decides = { ...patient, policy: deciding(['one', 'two']), rerank: false, retries: 0 }
  const proxy = await createProxy({ ...decides, ...options, target: upstream.url + before })
  const url = await proxy.listen(0)
  onTestFinished(async () => {
    await upstream.close()
    await proxy.close()
  })
  return { upstream, proxy, url }
}
