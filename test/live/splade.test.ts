/** SPLADE-tiny with the real runtime: its weights against those of transformers (5.23, PyTorch), and a search by them. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { requiredFiles } from '../../adapters/models/model-files.ts'
import { findModel } from '../../adapters/models/model-folder.ts'
import { onnxSparseEncoder } from '../../adapters/models/onnx-sparse.ts'
import { buildSparse, loadSparse } from '../../adapters/search/sparse.ts'
import { installSplade } from '../../scripts/export-model.mjs'
import type { SparseEncoder, WordWeights } from '../../src/types.ts'
import { library, testRetriever } from '../adapters/search/conformance.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const model = 'splade-tiny'
const missing = await installSplade()
const needs = missing === true ? '' : ` (${missing})`

const fixture = new URL('../fixtures/splade-tiny.json', import.meta.url)
const expected = JSON.parse(await readFile(fixture, 'utf8')) as readonly {
  readonly text: string
  readonly weights: Readonly<Record<string, number>>
}[]

/** The largest difference of two texts' weights. */
function distance(found: WordWeights, weights: Readonly<Record<string, number>>): number {
  const words = new Set([...found.keys(), ...Object.keys(weights)])
  return Math.max(...[...words].map((word) => Math.abs((found.get(word) ?? 0) - (weights[word] ?? 0))))
}

describe.skipIf(missing !== true)(`${model}${needs}`, async () => {
  const encoder: SparseEncoder = missing === true ? await onnxSparseEncoder({ model }) : (undefined as never)
  afterAll(() => encoder.close?.())

  it('equals transformers to 1e-5, together and alone', async () => {
    const texts = expected.map(({ text }) => text)
    const together = await encoder.encode(texts, { kind: 'document' })
    for (const [at, { text, weights }] of expected.entries()) {
      const [alone] = await encoder.encode([text], { kind: 'query' })
      expect(distance(together[at]!, weights)).toBeLessThan(1e-5)
      expect(distance(alone!, weights)).toBeLessThan(1e-5)
    }
  })

  it('finds what a query is about without a word of it', async () => {
    const retriever = await buildSparse(library, { encoder })
    const [leg] = await retriever.retrieve([{ text: 'musicians of a symphony', round: 1 }], { k: 1 })
    expect(leg!.hits![0]!.docid).toBe('d6')
  })

  it('cannot be used after it was closed', async () => {
    const closed = await onnxSparseEncoder({ model, threads: 1 })
    await closed.close?.()
    await expectError(closed.encode(['a'], { kind: 'query' }), 'embed-failed')
  })

  testRetriever({
    name: 'SPLADE-tiny',
    create: (documents, options) => buildSparse(documents, { encoder, ...options }),
    reopen: (retriever, folder) => retriever.save(folder).then(() => loadSparse(folder, { encoder })),
    gaps: [
      {
        reason: 'the model gives weights to words that a text does not have, and to punctuation',
        tests: ['finds nothing for words that no document has', 'finds nothing for a query without words'],
      },
    ],
  })

  it('searches by a table of weights, without the network', async () => {
    const { folder } = await findModel(model, { dtype: 'fp32' })
    const copy = await temporaryFolder()
    for (const file of requiredFiles) await copyFile(join(folder, file), join(copy, file))
    await writeFile(join(copy, 'idf.json'), JSON.stringify({ orchestra: 5, sea: 0 }))
    const index = await temporaryFolder()
    await (await buildSparse(library, { encoder })).save(index)
    const table = await onnxSparseEncoder({ model: copy })
    const named = { ...table, name: encoder.name }
    const retriever = await loadSparse(index, { encoder: named })
    const [leg] = await retriever.retrieve([{ text: 'an orchestra by the sea', round: 1 }], { k: 1 })
    expect(leg!.hits![0]!.docid).toBe('d6')
  })
})
