/** The re-ranker around a network that is told its scores; a real one runs in `test/live/cross-encoder.test.ts`. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { OnnxRuntime } from '../../../adapters/models/onnx-session.ts'
import { cutPair } from '../../../adapters/models/tokenize-pair.ts'
import { type OnnxRerankerOptions, onnxReranker } from '../../../adapters/rerank/onnx.ts'
import { docidsOf } from '../../fusion/lists.ts'
import { expectError } from '../../support/expect-error.ts'
import { fakeOnnx, type Network } from '../../support/fake-onnx.ts'
import { deferred } from '../../support/held.ts'
import { hits } from '../../support/scripted.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testReranker } from './conformance.ts'

const fixture = 'test/fixtures/cross-encoder'
const tokenizer = JSON.parse(await readFile(join(fixture, 'tokenizer.json'), 'utf8')) as {
  readonly model: { readonly vocab: Readonly<Record<string, number>> }
}
const idOf = (token: string): number => tokenizer.model.vocab[token]!
const sep = idOf('[SEP]')

/** A runtime whose network gives a pair what `score` makes of the second text's tokens. */
const telling = (
  score: (ids: readonly number[]) => number,
  { labels = 1, ...network }: Network & { readonly labels?: number } = {},
) =>
  fakeOnnx((rows) => {
    const data = rows.flatMap((ids) => {
      const second = ids.slice(ids.indexOf(sep) + 1)
      return Array.from({ length: labels }, () => score(second.slice(0, second.indexOf(sep))))
    })
    return { data, dims: [rows.length, labels] }
  }, network)

const reranking = (runtime: OnnxRuntime, options: OnnxRerankerOptions = {}) =>
  onnxReranker({ model: fixture, runtime, ...options })

const byText = (scores: Readonly<Record<string, number>>) => {
  const byId = new Map(Object.entries(scores).map(([text, score]) => [idOf(text), score]))
  return ([id]: readonly number[]): number => byId.get(id!) ?? 0
}

testReranker('onnxReranker', {
  hasTies: true,
  make: (scores, options) => reranking(telling(byText(scores)).runtime, options),
  async hanging(options) {
    const asked = deferred()
    const onRun = async (run: number): Promise<unknown> => {
      if (run === 1) return undefined
      asked.resolve()
      return new Promise(() => {})
    }
    const reranker = await reranking(telling(() => 1, { onRun }).runtime, { timeout: 60_000, ...options })
    return { reranker, asked: asked.promise, left: Promise.resolve() }
  },
  faults: {
    'a run that fails': {
      make: () =>
        reranking(
          telling(() => 1, { onRun: async (run) => run > 1 && Promise.reject(new Error('no memory')) })
            .runtime,
        ),
      code: 'rerank-failed',
    },
    NaN: { make: () => reranking(telling(() => Number.NaN).runtime), code: 'rerank-failed' },
    infinity: { make: () => reranking(telling(() => -Infinity).runtime), code: 'rerank-failed' },
  },
})

describe('onnxReranker', () => {
  const documents = (docid: string) => ({ docid, text: docid })

  it('runs pairs with the types of their tokens, in batches of like length', async () => {
    const { runtime, runs } = telling(() => 1)
    // [CLS] x [SEP] … [SEP] has 4 tokens and one more for each letter. Two pairs of 7 fill a batch, then three of 5.
    const reranker = await reranking(runtime, { batchTokens: 15 })
    runs.length = 0
    await reranker.rerank({ text: 'x' }, [], hits('b', 'b c d', 'c', 'd c b', 'd'), documents)
    const [cls, x, b, c, d] = ['[CLS]', 'x', 'b', 'c', 'd'].map(idOf) as [
      number,
      number,
      number,
      number,
      number,
    ]
    expect(runs.map(({ input_ids }) => input_ids)).toEqual([
      [
        [cls, x, sep, b, c, d, sep],
        [cls, x, sep, d, c, b, sep],
      ],
      [
        [cls, x, sep, b, sep],
        [cls, x, sep, c, sep],
        [cls, x, sep, d, sep],
      ],
    ])
    expect(runs[0]!.token_type_ids).toEqual(Array(2).fill([0, 0, 0, 1, 1, 1, 1]))
    expect(runs[1]!.attention_mask).toEqual(Array(3).fill([1, 1, 1, 1, 1]))
  })

  it('pads, and leaves out the types if the model does not take them', async () => {
    const { runtime, runs } = telling(() => 1, { inputNames: ['input_ids', 'attention_mask'] })
    const reranker = await reranking(runtime)
    runs.length = 0
    await reranker.rerank({ text: 'x' }, [], hits('b', 'b c'), documents)
    expect(Object.keys(runs[0]!)).toEqual(['input_ids', 'attention_mask'])
    expect(runs[0]!.attention_mask).toEqual([
      [1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 0],
    ])
    expect(runs[0]!.input_ids![1]!.at(-1)).toBe(0)
  })

  it('cuts pairs at the limit of the model, or at a lower one', async () => {
    const { runtime, runs } = telling(() => 1)
    for (const maxTokens of [undefined, 10]) {
      const reranker = await reranking(runtime, maxTokens === undefined ? {} : { maxTokens })
      await reranker.rerank({ text: 'x '.repeat(100) }, [], hits('b'), (docid) => ({
        docid,
        text: 'b '.repeat(100),
      }))
      const [ids] = runs.at(-1)!.input_ids!
      expect(ids).toHaveLength(maxTokens ?? 24)
      expect([ids!.at(-1), ids!.filter((id) => id === sep).length]).toEqual([sep, 2])
    }
  })

  it('gives the scores of the model, or probabilities', async () => {
    const { runtime } = telling(byText({ b: 2, c: -1 }))
    const raw = await (await reranking(runtime)).rerank({ text: 'x' }, [], hits('c', 'b'), documents)
    expect(raw.map(({ score }) => score)).toEqual([2, -1])
    const reranker = await reranking(runtime, { sigmoid: true })
    const probabilities = await reranker.rerank({ text: 'x' }, [], hits('c', 'b'), documents)
    expect(docidsOf(probabilities)).toEqual(['b', 'c'])
    expect(probabilities[0]!.score).toBeCloseTo(1 / (1 + Math.exp(-2)), 12)
  })

  it('stops between two batches', async () => {
    const controller = new AbortController()
    const { runtime, runs } = telling(() => 1, {
      onRun: async (run) => run === 2 && controller.abort(),
    })
    const reranker = await reranking(runtime, { batchTokens: 5 })
    const call = reranker.rerank({ text: 'x' }, [], hits('b', 'c', 'd'), documents, {
      signal: controller.signal,
    })
    await expectError(Promise.resolve(call), 'aborted')
    expect(runs).toHaveLength(2)
  })

  it('closes its model', async () => {
    const { runtime, closed } = telling(() => 1)
    await (await reranking(runtime)).close?.()
    expect(closed.times).toBe(1)
  })

  it.each([
    ['two labels', telling(() => 1, { labels: 2 }), 'onnx/model.onnx'],
    ['an encoder', telling(() => 1, { outputNames: ['last_hidden_state'] }), 'text-classification'],
    ['another input', telling(() => 1, { inputNames: ['pixels'] }), 'pixels'],
  ])('refuses a model that is none: %s', async (_, { runtime }, message) => {
    await expectError(reranking(runtime), 'bad-file', message)
  })

  it('refuses a tokenizer that does not know pairs', async () => {
    const folder = await temporaryFolder()
    await cp(fixture, folder, { recursive: true })
    const without = { ...tokenizer, post_processor: null }
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(without))
    await expectError(reranking(telling(() => 1).runtime, { model: folder }), 'bad-file', /tokenizer\.json/)
  })

  it('says what a folder lacks', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'onnx'))
    await cp(join(fixture, 'tokenizer.json'), join(folder, 'tokenizer.json'))
    const call = reranking(telling(() => 1).runtime, { model: folder })
    await expectError(call, 'missing-model')
    await rm(folder, { recursive: true })
  })

  it.each(['window', 'maxTokens', 'timeout', 'batchTokens'])('refuses a wrong %s', async (name) => {
    await expectError(onnxReranker({ [name]: 0 }), 'bad-config', name)
  })
})

// Hugging Face's tokenizers, src/utils/truncation.rs: the longer one gives way, and then both.
it.each([
  [3, 4, 10, [3, 4]],
  [3, 20, 10, [3, 7]],
  [20, 3, 10, [7, 3]],
  [20, 30, 11, [5, 6]],
  [30, 20, 11, [6, 5]],
  [0, 20, 10, [0, 10]],
])('a pair of %i and %i tokens in %i', (first, second, room, left) =>
  expect(cutPair(first, second, room)).toEqual(left),
)
