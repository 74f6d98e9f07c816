import { expect, it, vi } from 'vitest'
import { buildFaiss } from '../../../adapters/search/faiss.ts'
import { hashEmbedder } from '../../support/hash-embedder.ts'

vi.mock('faiss-node', () => {
  throw new Error('no native build was found')
})

it('says how to get faiss-node where it cannot be loaded', async () => {
  const build = buildFaiss([], { embedder: hashEmbedder() })
  await expect(build).rejects.toMatchObject({ code: 'missing-package' })
  await expect(build).rejects.toThrow('npm install faiss-node')
})

it('names the embedder that is missing', async () =>
  expect(buildFaiss([], {} as never)).rejects.toMatchObject({
    code: 'bad-config',
    message: expect.stringContaining('buildFaiss: embedder: expected an embedder with embed()'),
  }))
