/** Elasticsearch's client whose transport searches as the user of the current request, of whom Querent has to be told. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  Client,
  Transport,
  type TransportRequestOptions,
  type TransportRequestParams,
} from '@elastic/elasticsearch'
import { querent } from 'querent/elasticsearch'

/** The user of the current request: `users.run({ name }, () => client.search(…))`. */
export const users = new AsyncLocalStorage<{ readonly name: string }>()

class RunAsTransport extends Transport {
  override request(params: TransportRequestParams, options?: TransportRequestOptions): Promise<never> {
    const name = users.getStore()?.name
    const headers = { ...options?.headers, ...(name !== undefined && { 'es-security-runas-user': name }) }
    return super.request(params, { ...options, headers }) as Promise<never>
  }
}

export function createRunAsClient(node: string) {
  const client = querent(new Client({ node, Transport: RunAsTransport }), {
    identity: () => users.getStore()?.name ?? '',
  })
  return client
}
