/**
 * One Elasticsearch and one OpenSearch for all files of test/engines, started before the first and stopped after the last:
 * `inject('elasticsearch')` and `inject('opensearch')` are their URLs. A file that needs another kind, a cluster or
 * settings starts its own. Where a server cannot be had, the run fails and says why.
 *
 * `QUERENT_ELASTICSEARCH_URL` and `QUERENT_OPENSEARCH_URL` name servers to be used instead of those two.
 */
import type { TestProject } from 'vitest/node'
import { installEngines } from '../../scripts/install-engines.mjs'
import { startEngine } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly elasticsearch: string
    readonly opensearch: string
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const missing = (await installEngines()).filter((state) => state !== true)
  if (missing.length > 0) throw new Error(`These servers cannot be had:\n${missing.join('\n')}`)
  const stops: (() => Promise<void>)[] = []
  const teardown = async () => void (await Promise.all(stops.map((stop) => stop())))

  async function serve(kind: 'elasticsearch' | 'opensearch', existing: string | undefined): Promise<void> {
    if (existing) return provide(kind, existing)
    const { urls, stop } = await startEngine(kind)
    stops.push(stop)
    provide(kind, urls[0]!)
  }

  const { QUERENT_ELASTICSEARCH_URL, QUERENT_OPENSEARCH_URL } = process.env
  const served = await Promise.allSettled([
    serve('elasticsearch', QUERENT_ELASTICSEARCH_URL),
    serve('opensearch', QUERENT_OPENSEARCH_URL),
  ])
  const failed = served.find((end) => end.status === 'rejected')
  if (failed === undefined) return teardown
  await teardown()
  throw failed.reason
}
