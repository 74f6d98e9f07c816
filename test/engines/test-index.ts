/** Indexes of a test on a real server: made with names of their own, and deleted when the test is over. */
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { buildClusterIndex } from '../../adapters/search/cluster/build.ts'
import type { Cluster } from '../../adapters/search/cluster/cluster.ts'
import type { BuildOptions, Documents } from '../../adapters/search/corpus.ts'
import type { Embedder } from '../../src/types.ts'

/** A name that no index has, and whose index is deleted when the test is over. */
export function testIndexName(engine: Cluster): string {
  const name = `querent-test-${randomBytes(6).toString('hex')}`
  onTestFinished(() => deleteIndex(engine, name))
  return name
}

/** An index with these documents. */
export async function testIndex(
  engine: Cluster,
  documents: Documents,
  { dense, ...options }: BuildOptions & { readonly dense?: Embedder } = {},
): Promise<string> {
  const index = testIndexName(engine)
  await buildClusterIndex(engine, documents, { index, ...(dense && { dense }), ...options })
  return index
}

async function deleteIndex(engine: Cluster, name: string): Promise<void> {
  const querystring = { ignore_unavailable: 'true' }
  await engine.send({ name: 'indices.delete', method: 'DELETE', path: `/${name}`, querystring })
}
