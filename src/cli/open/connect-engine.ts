import type { Cluster, EngineKind } from '../../../adapters/search/cluster/cluster.ts'
import type { Connection } from '../../../adapters/search/cluster/connection.ts'
import { connectElasticsearch } from '../../../adapters/search/elasticsearch.ts'
import { connectOpensearch } from '../../../adapters/search/opensearch.ts'
import { QuerentError } from '../../errors.ts'
import type { Terminal } from '../output/terminal.ts'

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
