/** The real model: its vectors against those of sentence-transformers, and how a checkout gets it without a hub. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultModel } from '../../adapters/models/model-folder.ts'
import { onnxEmbedder } from '../../adapters/models/onnx.ts'
import { exportModel } from '../../scripts/export-model.mjs'
import type { Embedder } from '../../src/types.ts'
import { describeEmbedder, distance } from '../adapters/models/conformance.ts'
import { expectError } from '../support/expect-error.ts'

interface Expected {
  readonly text: string
  readonly vector: readonly number[]
}
const fixture = new URL('../fixtures/minilm.json', import.meta.url)
const { texts: expected }: { readonly texts: readonly Expected[] } = JSON.parse(readFileSync(fixture, 'utf8'))
const document = { kind: 'document' } as const

describeEmbedder('onnxEmbedder conforms', (instructions) => onnxEmbedder(instructions))

describe(defaultModel, () => {
  let embedder: Embedder
  beforeAll(async () => {
    embedder = await onnxEmbedder()
  })
  afterAll(() => embedder.close?.())

  it('has a name that tells what made a vector', () => {
    expect(embedder).toMatchObject({ name: 'onnx:all-MiniLM-L6-v2', dimensions: 384 })
  })

  it('equals sentence-transformers to 1e-5, together', async () => {
    const vectors = await embedder.embed(
      expected.map(({ text }) => text),
      document,
    )
    for (const [at, { vector }] of expected.entries())
      expect(distance(vectors[at]!, vector)).toBeLessThan(1e-5)
  })

  it.each(expected.map(({ text, vector }) => ({ title: JSON.stringify(text.slice(0, 40)), text, vector })))(
    'equals sentence-transformers to 1e-5 for $title',
    async ({ text, vector }) => {
      const [alone] = await embedder.embed([text], document)
      expect(distance(alone!, vector)).toBeLessThan(1e-5)
    },
  )

  it('cannot be used after it was closed', async () => {
    const closed = await onnxEmbedder({ threads: 1 })
    await closed.close?.()
    await expectError(closed.embed(['a'], document), 'embed-failed')
  })
})

describe.skipIf(!hasPython())(
  'a model exported by scripts/export-model.mjs (needs Python 3 with venv)',
  () => {
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'querent-live-'))
    })
    afterAll(() => rm(folder, { recursive: true }))

    it('is the one of the hub', async () => {
      const model = join(folder, defaultModel)
      await exportModel(model)
      expect(await readdir(folder)).toEqual([defaultModel])
      const embedder = await onnxEmbedder({ model })
      const { text, vector } = expected[0]!
      const [found] = await embedder.embed([text], document)
      expect(distance(found!, vector)).toBeLessThan(1e-5)
      await embedder.close?.()
    })

    it('may be int8: near the exact vectors, not equal to them', async () => {
      const model = join(folder, 'int8')
      await exportModel(model, { quantize: true })
      const embedder = await onnxEmbedder({ model, dtype: 'int8' })
      expect(embedder.name).toBe('onnx:int8:int8')
      const { text, vector } = expected[5]!
      const [found] = await embedder.embed([text], document)
      const cosine = vector.reduce((sum, value, at) => sum + value * found![at]!, 0)
      expect(cosine).toBeGreaterThan(0.95)
      expect(cosine).toBeLessThan(0.9999)
      await embedder.close?.()
    })
  },
)

function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import ensurepip'])
    return true
  } catch {
    return false
  }
}
