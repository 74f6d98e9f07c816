/** The sparse encoder around a network of rules; a real one runs in `test/live/splade.test.ts`. */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { onnxSparseEncoder } from '../../../adapters/models/onnx-sparse.ts'
import { wordWeights } from '../../../adapters/models/splade.ts'
import type { ErrorCode } from '../../../src/errors.ts'
import { expectError } from '../../support/expect-error.ts'
import { fakeOnnx } from '../../support/fake-onnx.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Only its tokenizer is used. */
const model = 'test/fixtures/cross-encoder'
const options = { kind: 'document' } as const

/** Each token gives the logit 2 to its own word and -1 to all others: padding to the word [PAD], too. */
function echoing({ output = 'logits', words = 78 } = {}) {
  const runs: number[][] = []
  const { runtime } = fakeOnnx(
    (rows) => {
      const dims = [rows.length, rows[0]!.length]
      runs.push(dims)
      const logits = (id: number) => Array.from({ length: words }, (_, word) => (word === id ? 2 : -1))
      return { data: rows.flat().flatMap(logits), dims: [...dims, words] }
    },
    { inputNames: ['input_ids', 'attention_mask'], outputNames: [output] },
  )
  return { runtime, runs }
}

const wordsOf = (weights: ReadonlyMap<string, number>): string[] => [...weights.keys()].sort()

describe('onnxSparseEncoder', () => {
  it('weighs the words of each text, whatever it is batched with', async () => {
    const { runtime, runs } = echoing()
    const encoder = await onnxSparseEncoder({ model, runtime, batchTokens: 16 })
    expect(encoder.name).toBe('onnx:cross-encoder')
    const found = await encoder.encode(['dracula', 'who wrote ulysses ?', 'who wrote dracula'], options)
    expect(found.map(wordsOf)).toEqual([
      ['[CLS]', '[SEP]', 'dracula'],
      ['?', '[CLS]', '[SEP]', 'ulysses', 'who', 'wrote'],
      ['[CLS]', '[SEP]', 'dracula', 'who', 'wrote'],
    ])
    // log(1 + 2)
    for (const weights of found) for (const weight of weights.values()) expect(weight).toBeCloseTo(1.0986, 4)
    expect(runs).toEqual([
      [2, 6],
      [1, 3],
    ])
  })

  it('gives no weights to texts without words, and runs nothing for them', async () => {
    const { runtime, runs } = echoing()
    const encoder = await onnxSparseEncoder({ model, runtime })
    expect(await encoder.encode(['', ' \n'], options)).toEqual([new Map(), new Map()])
    expect(runs).toEqual([])
  })

  it('cuts long texts, and stops where it is aborted', async () => {
    const { runtime, runs } = echoing()
    const encoder = await onnxSparseEncoder({ model, runtime, maxTokens: 10 })
    await encoder.encode(['who '.repeat(100)], options)
    expect(runs).toEqual([[1, 10]])
    const signal = AbortSignal.abort(new Error('enough'))
    await expectError(encoder.encode(['who'], { ...options, signal }), 'aborted')
  })

  /** A model that weighs documents alone, with a table for queries. */
  async function withTable(files: Readonly<Record<string, unknown>> = {}) {
    const folder = await temporaryFolder()
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
      await copyFile(join(model, file), join(folder, file))
    const table = { dracula: 7.5, wrote: 2, who: 0, '[CLS]': 9 }
    for (const [file, content] of Object.entries({ 'idf.json': table, ...files })) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content))
    }
    return folder
  }

  it('looks queries up in a table, each word once, without a network or its package', async () => {
    const encoder = await onnxSparseEncoder({ model: await withTable() })
    const [found, none] = await encoder.encode(['who wrote dracula dracula ulysses', ''], { kind: 'query' })
    expect(Object.fromEntries(found!)).toEqual({ wrote: 2, dracula: 7.5 })
    expect(none).toEqual(new Map())
    await expectError(encoder.encode(['dracula'], options), 'missing-model', 'model.onnx')
    await encoder.close?.()
  })

  it('weighs documents with the network beside a table, by the logarithm that the model says', async () => {
    const { runtime, runs } = echoing()
    const files = {
      'onnx/model.onnx': '',
      'document_1_SpladePooling/config.json': { activation_function: 'log1p_relu' },
    }
    const encoder = await onnxSparseEncoder({ model: await withTable(files), runtime })
    expect(runs).toEqual([])
    const [found] = await encoder.encode(['dracula'], options)
    // log(1 + log(1 + 2))
    expect(found!.get('dracula')).toBeCloseTo(Math.log(1 + Math.log(3)), 6)
    expect(runs).toEqual([[1, 3]])
  })

  /** As Sentence Transformers saves a model: each part has a folder, and the table of weights is a tensor. */
  async function inParts(weights: Float32Array, part = 'document_0_Transformer') {
    const folder = await temporaryFolder()
    const [query, network] = ['query_0_SparseStaticEmbedding', part]
    await mkdir(join(folder, network, 'onnx'), { recursive: true })
    await writeFile(join(folder, network, 'onnx/model.onnx'), '')
    await mkdir(join(folder, query))
    for (const one of [query, network])
      for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
        await copyFile(join(model, file), join(folder, one, file))
    const header = JSON.stringify({
      weight: { dtype: 'F32', shape: [weights.length], data_offsets: [0, weights.byteLength] },
    })
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(header.length))
    const tensors = Buffer.concat([length, Buffer.from(header), Buffer.from(weights.buffer)])
    await writeFile(join(folder, query, 'model.safetensors'), tensors)
    return { folder, network: join(folder, network) }
  }

  it.each(['document_0_Transformer', 'document_0_MLMTransformer'])(
    'reads the table, and the network from %s, as Sentence Transformers saves them',
    async (part) => {
      const { runtime, runs } = echoing()
      // The weight of a word is its id, and there is room for words that the tokenizer adds.
      const { folder, network } = await inParts(
        Float32Array.from({ length: 80 }, (_, id) => id),
        part,
      )
      const { model: file } = JSON.parse(await readFile(join(model, 'tokenizer.json'), 'utf8'))
      const expected = { who: file.vocab.who, dracula: file.vocab.dracula }
      const encoder = await onnxSparseEncoder({ model: folder, runtime })
      const [found] = await encoder.encode(['who dracula dracula'], { kind: 'query' })
      expect(Object.fromEntries(found!)).toEqual(expected)
      expect(runs).toEqual([])
      expect((await encoder.encode(['dracula'], options)).map(wordsOf)).toEqual([
        ['[CLS]', '[SEP]', 'dracula'],
      ])

      // Where queries are encoded, the table and its tokenizer are enough.
      await rm(network, { recursive: true })
      const searching = await onnxSparseEncoder({ model: folder })
      expect(await searching.encode(['who dracula'], { kind: 'query' })).toEqual([found])
      await expectError(searching.encode(['dracula'], options), 'missing-model', 'model.onnx')
    },
  )

  it('names a table with too few weights', async () => {
    const { folder } = await inParts(new Float32Array(5))
    await expectError(onnxSparseEncoder({ model: folder }), 'bad-file', /safetensors has no weight of 78/)
  })

  it('names a table that is none', async () => {
    await expectError(
      onnxSparseEncoder({ model: await withTable({ 'idf.json': '[]' }) }),
      'bad-file',
      'idf.json',
    )
  })

  it.each<[ErrorCode, string, () => Promise<unknown>]>([
    ['bad-config', 'model', () => onnxSparseEncoder({} as never)],
    ['bad-config', 'maxTokens', () => onnxSparseEncoder({ model, maxTokens: 3 })],
    [
      'bad-file',
      'fill-mask',
      () => onnxSparseEncoder({ model, runtime: echoing({ output: 'scores' }).runtime }),
    ],
    [
      'embed-failed',
      '5',
      async () =>
        (await onnxSparseEncoder({ model, runtime: echoing({ words: 5 }).runtime })).encode(['who'], options),
    ],
  ])('names what is wrong: %s, %s', async (code, message, make) => {
    await expectError(make(), code, message)
  })
})

describe('wordWeights', () => {
  const words = ['a', 'b', 'c']

  it('are the largest over the tokens, as log(1 + max(0, logit))', () => {
    // Two texts of two tokens; the second token of the second text is padding.
    const data = Float32Array.of(1, -1, 0, 3, 0.5, -2, -1, -1, 1, 9, 9, 9)
    const output = { data, dims: [2, 2, 3] }
    expect([...wordWeights(output, 0, 2, words)]).toEqual([
      ['a', Math.log(4)],
      ['b', Math.log(1.5)],
    ])
    expect([...wordWeights(output, 1, 1, words)]).toEqual([['c', Math.log(2)]])
  })

  it('are taken as they are where the model computes them', () => {
    const output = { data: Float32Array.of(0, 1, 0, 0.5, 0, 2), dims: [2, 3] }
    expect([...wordWeights(output, 1, 7, words)]).toEqual([
      ['a', 0.5],
      ['c', 2],
    ])
  })
})
