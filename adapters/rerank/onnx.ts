/**
 * Re-ranking by a cross-encoder in this process: `onnxruntime-node` and `@huggingface/tokenizers`, both optional packages.
 *
 *     await onnxReranker({ model: 'cross-encoder/ettin-reranker-32m-v1' })
 *
 * @module querent/rerank/onnx
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { count, parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Reranker } from '../../src/reranker.ts'
import { sigmoid } from '../../src/sigmoid.ts'
import { batchesByLength } from '../models/batches-by-length.ts'
import { type ModelConfig, readModelConfig } from '../models/model-config.ts'
import { checkModelFolder, findModel } from '../models/model-folder.ts'
import { type OnnxModel, openOnnxModel } from '../models/onnx-model.ts'
import { loadOnnxPackages, type OnnxOptions, onnxShape } from '../models/onnx-packages.ts'
import { type OnnxRuntime, openOnnxSession, type SessionOptions } from '../models/onnx-session.ts'
import { readPairTokenizer } from '../models/tokenize-pair.ts'
import { throwIfAborted } from '../models/with-timeout.ts'
import { pointwise } from './pointwise.ts'

export type { OnnxOptions } from '../models/onnx-packages.ts'

export interface OnnxRerankerOptions extends OnnxOptions {
  /**
   * A name on the model hub, or a folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`. The
   * model must give one value per pair, by itself or by the layers of its `modules.json`. Default:
   * `cross-encoder/ettin-reranker-17m-v1` (67 MB, English).
   */
  readonly model?: string | undefined
  /**
   * How many of the fused hits are re-ranked, 1,000 at most. The others follow in fused order. Default: 30, about what fits into
   * the default `timeout` on a busy machine.
   */
  readonly window?: number | undefined
  /** Tokens of a pair: the longer text is cut. Default: 512, or the model's own limit if it is lower. */
  readonly maxTokens?: number | undefined
  /** Characters of a document that are read. Default: 4,000. */
  readonly maxCharacters?: number | undefined
  /** Tokens of a batch, padding included. A longer pair is a batch by itself. Default: 1,024. */
  readonly batchTokens?: number | undefined
  /** Whether scores are probabilities from 0 to 1 instead of the model's own. The order is the same. Default: false. */
  readonly sigmoid?: boolean | undefined
  /** Milliseconds for all documents. Default: 3,000. */
  readonly timeout?: number | undefined
}

const optionsSchema = z.strictObject({
  model: z.string().min(1).default('cross-encoder/ettin-reranker-17m-v1'),
  ...onnxShape,
  window: count.max(1000).default(30),
  maxTokens: count.min(8).default(512),
  maxCharacters: count.default(4000),
  batchTokens: count.default(1024),
  sigmoid: z.boolean().default(false),
  timeout: z.number().positive().default(3000),
})

/**
 * Opens the model and makes a re-ranker. A run blocks the process. Between runs, other work continues and deadlines take effect.
 * If a search cannot be re-ranked, it keeps the fused order.
 *
 * @throws QuerentError `bad-config`; `missing-package`; `missing-model`; `bad-file` if the model in the folder cannot be used,
 *   or does not give one value per pair; `aborted`
 */
export async function onnxReranker(options: OnnxRerankerOptions = {}): Promise<Reranker> {
  const settings = parseConfig(optionsSchema, options, 'onnxReranker')
  const { window, maxCharacters, batchTokens, sigmoid: isSigmoid, timeout, threads } = settings
  checkModelFolder(settings.model)
  const [runtime, tokenizers] = await loadOnnxPackages(options)
  const { name, folder, weights } = await findModel(settings.model, settings)
  const config = await readModelConfig(folder)
  const tokenize = await readPairTokenizer(tokenizers, folder, Math.min(config.maxTokens, settings.maxTokens))
  const opening = { weights, threads, failure: 'rerank-failed' } as const
  const session = await (config.layers.length > 0
    ? openOnnxModel(runtime, config, opening)
    : openClassifier(runtime, config, opening))
  const [values] = await session.run([tokenize('query')('document')])
  if (values!.length !== 1) {
    await session.close()
    throw new QuerentError('bad-file', `The model ${weights} does not give one value per pair`, {
      remedy: 'Choose a cross-encoder with one label.',
    })
  }

  const reranker = pointwise({
    what: `Re-ranker "${name}"`,
    waits: false,
    window,
    maxCharacters,
    timeout,
    async score(query, texts, signal) {
      const tokenizeWith = tokenize(query)
      const rows = texts.map((text) => tokenizeWith(text))
      const scores = new Array<number>(texts.length)
      const lengths = rows.map(({ ids }) => ids.length)
      for (const batch of batchesByLength(lengths, batchTokens)) {
        // Lets timers run, that of the deadline among them.
        await setImmediate()
        throwIfAborted('Re-ranking', signal)
        const found = await session.run(batch.map((at) => rows[at]!))
        for (const [place, at] of batch.entries())
          scores[at] = isSigmoid ? sigmoid(found[place]![0]!) : found[place]![0]!
      }
      return scores
    },
  })
  return { ...reranker, close: () => session.close() }
}

/** A model that ends with its head, so it gives the scores themselves. */
async function openClassifier(
  runtime: OnnxRuntime,
  { padId }: ModelConfig,
  options: Pick<SessionOptions, 'weights' | 'threads' | 'failure'>,
): Promise<OnnxModel> {
  const session = await openOnnxSession(runtime, {
    ...options,
    padId,
    outputs: ['logits', 'scores'],
    remedy:
      'Choose a re-ranker: its modules.json names the folder of its head (Dense), or its config.json is that of a model "ForSequenceClassification", exported for the task "text-classification". An encoder alone has no head, and that export would make one up at random.',
  })
  return {
    async run(rows) {
      const { data, dims } = await session.run(rows)
      const width = dims.slice(1).reduce((product, size) => product * size, 1)
      const values = Float64Array.from(data as ArrayLike<number>)
      return rows.map((_, row) => values.subarray(row * width, (row + 1) * width))
    },
    close: () => session.close(),
  }
}
