/** Callers of one retriever on servers with security: each sees what it may see, however closely they follow each other. */
import { afterAll, describe, expect, it } from 'vitest'
import { buildClusterIndex } from '../../adapters/search/cluster/build.ts'
import type { Cluster, ClusterRequest } from '../../adapters/search/cluster/cluster.ts'
import { clusterRetriever } from '../../adapters/search/cluster/retriever.ts'
import { connectElasticsearch } from '../../adapters/search/elasticsearch.ts'
import { connectOpensearch } from '../../adapters/search/opensearch.ts'
import type { Retriever } from '../../src/types.ts'
import { library } from '../adapters/search/conformance.ts'
import { basic, startEngine } from '../support/engines.ts'

const password = 'querent-only-for-tests-2'

/** May search `one`, and nothing else. */
const eve: Readonly<
  Record<'elasticsearch' | 'opensearch', readonly Pick<ClusterRequest, 'path' | 'body'>[]>
> = {
  elasticsearch: [
    { path: '/_security/role/one', body: { indices: [{ names: ['one'], privileges: ['read'] }] } },
    { path: '/_security/user/eve', body: { password, roles: ['one'] } },
  ],
  opensearch: [
    {
      path: '/_plugins/_security/api/roles/one',
      body: {
        cluster_permissions: ['cluster_composite_ops_ro'],
        index_permissions: [{ index_patterns: ['one'], allowed_actions: ['read'] }],
      },
    },
    {
      path: '/_plugins/_security/api/internalusers/eve',
      body: { password, opendistro_security_roles: ['one'] },
    },
  ],
}

async function found(retriever: Retriever): Promise<unknown> {
  const [leg] = await retriever.retrieve([{ text: 'oboe', round: 1 }], { k: 3 })
  return leg?.error === undefined ? leg?.hits?.length : (leg.error as { statusCode?: unknown }).statusCode
}

describe.each([
  { kind: 'elasticsearch', connect: connectElasticsearch },
  { kind: 'opensearch', connect: connectOpensearch },
] as const)('callers of $kind', async ({ kind, connect }) => {
  const server = await startEngine(`${kind}-secure`)
  const engine: Cluster = await connect({ url: server.urls[0]!, auth: server.credentials! })
  afterAll(async () => {
    await engine.close()
    await server.stop()
  })
  for (const request of eve[kind]) await engine.send({ name: 'security', method: 'PUT', ...request })
  for (const index of ['one', 'two']) await buildClusterIndex(engine, library, { index })
  const headers = { authorization: basic({ username: 'eve', password }) }

  it('see what they may see', async () => {
    const [one, two] = ['one', 'two'].map((index) => clusterRetriever(engine, { index }))
    const asked = Array.from({ length: 20 }, () => [one!, one!.for({ headers }), two!, two!.for({ headers })])
    const answers = await Promise.all(asked.flat().map(found))
    expect(answers).toEqual(asked.flatMap(() => [1, 1, 1, 403]))
  })

  it('are refused with credentials that are wrong, and nobody else is', async () => {
    const retriever = clusterRetriever(engine, { index: 'one' })
    const wrong = retriever.for({ headers: { authorization: basic({ username: 'eve', password: 'x' }) } })
    await expect(found(wrong)).rejects.toMatchObject({ statusCode: 401 })
    expect(await found(retriever)).toBe(1)
  })

  // OpenSearch has no such header.
  if (kind === 'elasticsearch') {
    it('may be somebody whom the client speaks for', async () => {
      const retriever = clusterRetriever(engine, { index: 'two' })
      expect(await found(retriever)).toBe(1)
      expect(await found(retriever.for({ headers: { 'es-security-runas-user': 'eve' } }))).toBe(403)
    })
  }
})
