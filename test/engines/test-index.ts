/** Indexes of a test on a real server: made with names of their own, and deleted when the test is over. */
import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { BuildOptions, Documents } from '../../adapters/search/corpus.ts'
import { buildEngineIndex } from '../../adapters/search/engine/build.ts'
import type { Engine } from '../../adapters/search/engine/engine.ts'
import type { Embedder } from '../../src/types.ts'

/** A name that no index has, and whose index is deleted when the test is over. */
export function testIndexName(engine: Engine): string {
  const name = `querent-test-${randomBytes(6).toString('hex')}`
  onTestFinished(() => deleteIndex(engine, name))
  return name
}

/** An index with these documents. */
export async function testIndex(
  engine: Engine,
  documents: Documents,
  { dense, ...options }: BuildOptions & { readonly dense?: Embedder } = {},
): Promise<string> {
  const index = testIndexName(engine)
  await buildEngineIndex(engine, documents, { index, ...(dense && { dense }), ...options })
  return index
}

async function deleteIndex(engine: Engine, name: string): Promise<void> {
  const querystring = { ignore_unavailable: 'true' }
  await engine.send({ name: 'indices.delete', method: 'DELETE', path: `/${name}`, querystring })
}
