/** The embedder around a network that counts instead of computing; the real one runs in `test/live/onnx.test.ts`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onnxEmbedder } from '../../../adapters/models/onnx.ts'
import { expectError } from '../../support/expect-error.ts'
import { fakeOnnx, type Network } from '../../support/fake-onnx.ts'

/** Words of one letter and pairs of them, so that every text has a known number of tokens. */
const vocabulary = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...'abcdefghijklmnopqrstuvwxyz', '##a', '##b', ':']
const special = (content: string) => ({
  id: vocabulary.indexOf(content),
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
})
const tokenizer = {
  version: '1.0',
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
  },
}
const id = (token: string): number => vocabulary.indexOf(token)

const files = {
  'config.json': { max_position_embeddings: 8, pad_token_id: 0 },
  'tokenizer_config.json': { model_max_length: 1e30, unk_token: '[UNK]', pad_token: '[PAD]' },
  'tokenizer.json': tokenizer,
  'onnx/model.onnx': {},
}

let model: string
beforeEach(async () => {
  model = await mkdtemp(join(tmpdir(), 'querent-onnx-'))
  await writeFiles(files)
})
afterEach(() => rm(model, { recursive: true }))

async function writeFiles(contents: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [file, content] of Object.entries(contents)) {
    await mkdir(dirname(join(model, file)), { recursive: true })
    await writeFile(join(model, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** A runtime whose network gives each token the vector (its id, 1), or with another second number. */
const countingRuntime = ({ second = 1, ...network }: Network & { readonly second?: number } = {}) =>
  fakeOnnx(
    (rows) => ({
      data: rows.flatMap((ids) => ids.flatMap((token) => [token, second])),
      dims: [rows.length, rows[0]!.length, 2],
    }),
    { outputNames: ['last_hidden_state'], ...network },
  )

const document = { kind: 'document' } as const
const direction = (vector: Float32Array): number => vector[0]! / vector[1]!

describe('onnxEmbedder', () => {
  it('names the model, and learns its dimensions by running it', async () => {
    const { runtime, created } = countingRuntime()
    const embedder = await onnxEmbedder({ model, runtime, threads: 3 })
    expect(embedder.name).toBe(`onnx:${model.split('/').at(-1)}`)
    expect(embedder.dimensions).toBe(2)
    expect(created[0]).toMatchObject([join(model, 'onnx/model.onnx'), { intraOpNumThreads: 3 }])
  })

  it('has another identity with other weights, another limit or another instruction for queries, and no other name', async () => {
    const made = (second = 1, queryPrefix = '') =>
      onnxEmbedder({ model, queryPrefix, runtime: countingRuntime({ second }).runtime })
    const embedders = [await made(), await made(2), await made(1, 'query: ')]
    expect((await made()).identity).toBe(embedders[0]!.identity)
    await writeFiles({ 'sentence_bert_config.json': { max_seq_length: 4 } })
    embedders.push(await made())
    expect(new Set(embedders.map(({ identity }) => identity)).size).toBe(4)
    expect(new Set(embedders.map(({ name }) => name)).size).toBe(1)
  })

  it('runs texts of like length together and answers in the order given', async () => {
    const { runtime, runs } = countingRuntime()
    const embedder = await onnxEmbedder({ model, runtime, batchTokens: 12 })
    runs.length = 0
    // With [CLS] and [SEP]: 3, 6, 3, 5 and 4 tokens. Of 6 tokens two texts fit into 12, then of 4 three.
    const vectors = await embedder.embed(['a', 'b b b b', 'c', 'd d d', 'e e'], document)
    const [CLS, SEP, PAD] = [id('[CLS]'), id('[SEP]'), id('[PAD]')]
    const [a, b, c, d, e] = [...'abcde'].map(id) as [number, number, number, number, number]
    expect(runs.map(({ input_ids }) => input_ids)).toEqual([
      [
        [CLS, b, b, b, b, SEP],
        [CLS, d, d, d, SEP, PAD],
      ],
      [
        [CLS, e, e, SEP],
        [CLS, a, SEP, PAD],
        [CLS, c, SEP, PAD],
      ],
    ])
    expect(runs[1]!).toMatchObject({
      attention_mask: [
        [1, 1, 1, 1],
        [1, 1, 1, 0],
        [1, 1, 1, 0],
      ],
      token_type_ids: [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    })
    // The mean of (id, 1) over a text's own tokens.
    const means = [
      (2 + a + 3) / 3,
      (2 + 4 * b + 3) / 6,
      (2 + c + 3) / 3,
      (2 + 3 * d + 3) / 5,
      (2 + 2 * e + 3) / 4,
    ]
    for (const [at, mean] of means.entries()) expect(direction(vectors[at]!)).toBeCloseTo(mean, 5)
  })

  it('cuts a text at the limit of the model and keeps the [SEP] at its end', async () => {
    const { runtime, runs } = countingRuntime()
    const embedder = await onnxEmbedder({ model, runtime })
    await embedder.embed(['a b c d e f g h i j'], document)
    const tokens = ['[CLS]', ...'abcdef', '[SEP]']
    expect(runs.at(-1)!.input_ids).toEqual([tokens.map(id)])
  })

  it('gives an input to none that does not take it', async () => {
    const { runtime, runs } = countingRuntime({ inputNames: ['input_ids', 'attention_mask'] })
    await (await onnxEmbedder({ model, runtime })).embed(['a'], document)
    expect(Object.keys(runs.at(-1)!)).toEqual(['input_ids', 'attention_mask'])
  })

  it('stops between runs when its caller aborts', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    let left = 3
    const { runtime, runs } = countingRuntime({ onRun: () => --left === 0 && controller.abort(reason) })
    // One run is made to learn the dimensions.
    const embedder = await onnxEmbedder({ model, runtime, batchTokens: 1 })
    const vectors = embedder.embed(['a', 'b', 'c', 'd'], { ...document, signal: controller.signal })
    await expect(vectors).rejects.toMatchObject({ code: 'aborted', cause: reason })
    expect(runs).toHaveLength(3)
  })

  it('reports what the network throws', async () => {
    let broken = false
    const { runtime } = countingRuntime({
      onRun: () => {
        if (broken) throw new Error('out of memory')
      },
    })
    const embedder = await onnxEmbedder({ model, runtime })
    broken = true
    await expectError(embedder.embed(['a'], document), 'embed-failed', 'out of memory')
  })
})

describe('the files of a model', () => {
  const embed = async (text: string): Promise<Float32Array> => {
    const embedder = await onnxEmbedder({ model, runtime: countingRuntime().runtime })
    return (await embedder.embed([text], document))[0]!
  }

  it.each<[string, Readonly<Record<string, unknown>>, number]>([
    ['nothing', {}, (2 + id('a') + id('b') + 3) / 4],
    [
      'mean',
      { '1_Pooling/config.json': { pooling_mode_mean_tokens: true } },
      (2 + id('a') + id('b') + 3) / 4,
    ],
    [
      'cls',
      { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } },
      2,
    ],
    ['lasttoken', { '1_Pooling/config.json': { pooling_mode_lasttoken: true } }, 3],
    ['cls, as newer files have it', { '1_Pooling/config.json': { pooling_mode: 'cls' } }, 2],
    ['another limit', { 'sentence_bert_config.json': { max_seq_length: 3 } }, (2 + id('a') + 3) / 3],
    ["the tokenizer's limit", { 'tokenizer_config.json': { model_max_length: 3 } }, (2 + id('a') + 3) / 3],
    [
      'an instruction',
      { 'config_sentence_transformers.json': { prompts: { query: 'x', document: 'c ' } } },
      (2 + id('c') + id('a') + id('b') + 3) / 5,
    ],
  ])('may ask for %s', async (_, changed, expected) => {
    await writeFiles(changed)
    expect(direction(await embed('a b'))).toBeCloseTo(expected, 5)
  })

  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    [
      'pooling by max',
      { '1_Pooling/config.json': { pooling_mode_max_tokens: true } },
      /pooling_mode_max_tokens/,
    ],
    [
      'two poolings',
      { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true } },
      /pooling_mode_cls_token.*pooling_mode_mean_tokens/,
    ],
    [
      'an instruction that is not pooled',
      { '1_Pooling/config.json': { pooling_mode: 'mean', include_prompt: false } },
      /include_prompt/,
    ],
    [
      'a layer of another kind',
      { 'modules.json': [{ type: 'sentence_transformers.models.CNN' }] },
      /models\.CNN/,
    ],
    ['a layer in another folder', { 'modules.json': [{ type: 'Dense', path: '../x' }] }, /modules\.json/],
    ['a broken file', { 'config.json': '{' }, /config\.json/],
    ['a broken tokenizer', { 'tokenizer.json': { model: {} } }, /tokenizer\.json/],
    [
      'a limit that is none',
      { 'sentence_bert_config.json': { max_seq_length: 'long' } },
      /sentence_bert_config\.json/,
    ],
  ])('may not ask for %s', async (_, changed, message) => {
    await writeFiles(changed)
    await expectError(embed('a'), 'bad-file', message)
  })

  it.each([
    ['takes what is not given', { inputNames: ['input_ids', 'position_ids'] }, /position_ids/],
    ['gives no vectors of tokens', { outputNames: ['logits'] }, /last_hidden_state/],
  ])('may not hold a network that %s', async (_, names, message) => {
    const { runtime } = countingRuntime(names)
    await expectError(onnxEmbedder({ model, runtime }), 'bad-file', message)
  })
})

describe('options', () => {
  it.each([
    [{ modell: 'x' }, 'modell'],
    [{ dtype: 'fp16' }, 'dtype'],
    [{ threads: 0 }, 'threads'],
    [{ batchTokens: 1.5 }, 'batchTokens'],
  ])('%j is refused by name', async (options, named) => {
    await expectError(onnxEmbedder(options as object), 'bad-config', named)
  })
})
