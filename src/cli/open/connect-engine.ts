import type { Cluster, EngineKind } from '../../../adapters/search/cluster/cluster.ts'
import type { Connection } from '../../../adapters/search/cluster/connection.ts'
import { connectElasticsearch } from '../../../adapters/search/elasticsearch.ts'
import { connectOpensearch } from '../../../adapters/search/opensearch.ts'
import { QuerentError } from '../../errors.ts'
import { isObject } from '../../runtime/json.ts'
import type { Terminal } from '../output/terminal.ts'
import { engineError, statusOf, wrongEngine } from './engine-error.ts'

const connect = { elasticsearch: connectElasticsearch, opensearch: connectOpensearch }

/**
 * The cluster at a URL, with the credentials in the URL, else those of the environment: `QUERENT_ENGINE_API_KEY`, or
 * `QUERENT_ENGINE_USERNAME` and `QUERENT_ENGINE_PASSWORD`.
 *
 * @throws QuerentError `bad-config`, `missing-package`
 */
export function connectEngine(
  kind: EngineKind,
  url: string | readonly string[],
  { env }: Pick<Terminal, 'env'>,
): Promise<Cluster> {
  const auth = [url].flat().some((one) => new URL(one).username !== '') ? undefined : engineAuth(env)
  return connect[kind]({ url, auth })
}

/**
 * The credentials of the environment.
 *
 * @throws QuerentError `bad-config` for a name without a password, or a password without a name
 */
export function engineAuth(env: Terminal['env']): Connection['auth'] {
  const apiKey = env.QUERENT_ENGINE_API_KEY
  const [username, password] = [env.QUERENT_ENGINE_USERNAME, env.QUERENT_ENGINE_PASSWORD]
  if (apiKey) return { apiKey }
  if (username && password) return { username, password }
  if (!username && !password) return undefined
  throw new QuerentError('bad-config', `QUERENT_ENGINE_${username ? 'PASSWORD' : 'USERNAME'} is not set`, {
    remedy: 'Set both, or QUERENT_ENGINE_API_KEY, or neither.',
  })
}

/**
 * Connects to a cluster for as long as `use` runs, and checks that the engine that was named answers: each client can write to the other
 * engine and fails in the middle, or never says so.
 *
 * @throws QuerentError `bad-config` if the other one answers; as `engineError`
 */
export async function withEngine<Result>(
  kind: EngineKind,
  url: string,
  terminal: Pick<Terminal, 'env' | 'signal'>,
  use: (engine: Cluster) => Promise<Result>,
): Promise<Result> {
  const reached = { engine: kind, url }
  const engine = await connectEngine(kind, url, terminal)
  try {
    const answers = await kindOf(engine, terminal.signal)
    if (answers !== undefined && answers !== kind) throw wrongEngine(reached, answers)
    return await use(engine)
  } catch (error) {
    throw engineError(error, reached)
  } finally {
    await engine.close()
  }
}

/** Which engine answers; `undefined` if it does not say what it is, or this user may index without the right to ask. */
async function kindOf(engine: Cluster, signal: AbortSignal): Promise<EngineKind | undefined> {
  try {
    const { body } = await engine.send({ name: 'info', method: 'GET', path: '/' }, { signal, retries: 0 })
    const version = isObject(body) && isObject(body.version) ? body.version : {}
    if (version.distribution === 'opensearch') return 'opensearch'
    return version.build_flavor === undefined ? undefined : 'elasticsearch'
  } catch (error) {
    if (typeof statusOf(error) !== 'number' || statusOf(error) === 406) throw error
    return undefined
  }
}
