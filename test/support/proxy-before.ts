import { onTestFinished } from 'vitest'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingOptions,
  type RecordingServer,
  startRecordingServer,
} from './recording-server.ts'
import { deciding, patient } from './scripted-policy.ts'

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
