import { it, vi } from 'vitest'
import { buildFaiss } from '../../../adapters/search/faiss.ts'
import { expectError } from '../../support/expect-error.ts'
import { hashEmbedder } from '../../support/hash-embedder.ts'

vi.mock('faiss-node', () => {
  throw new Error('no native build was found')
})

it('says how to get faiss-node where it cannot be loaded', async () => {
  const build = buildFaiss([], { embedder: hashEmbedder() })
  await expectError(build, 'missing-package', /faiss-node/)
})

it('names the embedder that is missing', async () =>
  expectError(buildFaiss([], {} as never), 'bad-config', /buildFaiss: embedder/))
