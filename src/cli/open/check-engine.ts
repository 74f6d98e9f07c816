/** Which engine answers at a URL. Each client can write to the other engine and fails in the middle, or never says so. */
import type { Cluster, EngineKind } from '../../../adapters/search/cluster/cluster.ts'
import { isObject } from '../../runtime/json.ts'
import { wrongEngine } from './engine-error.ts'

/**
 * Checks that the engine that was named answers. An engine that does not say what it is passes.
 *
 * @throws QuerentError `bad-config` if the other one answers. The client's own error if nothing answers.
 */
export async function checkEngine(cluster: Cluster, url: string, signal: AbortSignal): Promise<void> {
  const reached = { engine: cluster.kind, url }
  let body: unknown
  try {
    body = (await cluster.send({ name: 'info', method: 'GET', path: '/' }, { signal, retries: 0 })).body
  } catch (error) {
    const { name, statusCode } = error as { readonly name?: unknown; readonly statusCode?: unknown }
    // OpenSearch rejects the media types of Elasticsearch's client.
    if (name === 'ProductNotSupportedError' || statusCode === 406)
      throw wrongEngine(reached, undefined, error)
    // This user may index without the right to ask.
    if (typeof statusCode === 'number') return
    throw error
  }
  const answers = engineOf(body)
  if (answers !== undefined && answers !== cluster.kind) throw wrongEngine(reached, answers)
}

function engineOf(body: unknown): EngineKind | undefined {
  const version = isObject(body) && isObject(body.version) ? body.version : {}
  if (version.distribution === 'opensearch') return 'opensearch'
  return version.build_flavor === undefined ? undefined : 'elasticsearch'
}
