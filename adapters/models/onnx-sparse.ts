/**
 * Learned sparse weights in this process, by the optional packages `onnxruntime-node` and `@huggingface/tokenizers`: models of the
 * SPLADE family.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { SparseEncoder, WordWeights } from '../../src/types.ts'
import { batchesByLength } from './batches-by-length.ts'
import { readModelConfig } from './model-config.ts'
import { findModel } from './model-folder.ts'
import { loadOnnxPackages, type OnnxOptions, onnxShape } from './onnx-packages.ts'
import { openOnnxSession } from './onnx-session.ts'
import { type SpladeOutput, wordWeights } from './splade.ts'
import { readTokenizer, readVocabulary } from './tokenize.ts'
import { throwIfAborted } from './with-timeout.ts'

export interface OnnxSparseEncoderOptions extends OnnxOptions {
  /**
   * A name on the model hub, or a folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`. The model
   * must give `logits` of its vocabulary, as it is exported for the task `fill-mask`, or weights as `sparse_embedding`.
   */
  readonly model: string
  /** Tokens of a text. Longer texts are cut. Default: 256, which SPLADE models are trained with, or the model's own limit. */
  readonly maxTokens?: number
  /**
   * Maximum number of tokens of one run, including padding. A longer text gets a run of its own. Default: 256: a run needs a number
   * for each token and each word of the vocabulary.
   */
  readonly batchTokens?: number
}

const optionsSchema = z.strictObject({
  model: z.string().min(1),
  ...onnxShape,
  maxTokens: z.int().min(8).default(256),
  batchTokens: z.int().positive().default(256),
})

/**
 * Makes a sparse encoder that runs in this process. A text without words has no weights. For the source of the model see `findModel`.
 * A run blocks the process. Between runs, other work continues and an aborted signal takes effect.
 *
 * @throws QuerentError `bad-config`; `missing-package`; `missing-model`; `bad-file` if the model in the folder cannot be used;
 *   `aborted`. `encode` throws `embed-failed` if the model does not run
 */
export async function onnxSparseEncoder(options: OnnxSparseEncoderOptions): Promise<SparseEncoder> {
  const settings = parseConfig(optionsSchema, options, 'onnxSparseEncoder')
  const { dtype, threads, batchTokens } = settings
  const [runtime, tokenizers] = await loadOnnxPackages(options)
  const { name, folder, weights } = await findModel(settings.model, settings)
  const { maxTokens, padId } = await readModelConfig(folder)
  const tokenize = await readTokenizer(tokenizers, folder, Math.min(maxTokens, settings.maxTokens))
  const words = await readVocabulary(folder)
  const session = await openOnnxSession(runtime, {
    weights,
    padId,
    threads,
    outputs: ['sparse_embedding', 'logits'],
    remedy: 'Export the model for the task "fill-mask".',
    failure: 'embed-failed',
  })
  const empty = tokenize('').length

  return {
    name: `onnx:${name}${dtype === 'fp32' ? '' : `:${dtype}`}`,
    async encode(texts, { signal }) {
      const rows = texts.map((text) => ({ ids: tokenize(text) }))
      const found = texts.map((): WordWeights => new Map())
      const filled = [...rows.keys()].filter((at) => rows[at]!.ids.length > empty)
      for (const batch of batchesByLength(
        filled.map((at) => rows[at]!.ids.length),
        batchTokens,
      )) {
        throwIfAborted('Encoding', signal)
        const places = batch.map((one) => filled[one]!)
        const output = await session.run(places.map((at) => rows[at]!))
        checkWords(join(folder, 'tokenizer.json'), output.dims.at(-1)!, words.length)
        for (const [place, at] of places.entries())
          found[at] = wordWeights(output as SpladeOutput, place, rows[at]!.ids.length, words)
      }
      return found
    },
    close: () => session.close(),
  }
}

/** Vocabularies may be padded, but the model must know all words. */
function checkWords(path: string, given: number, known: number): void {
  if (given >= known) return
  throw new QuerentError('embed-failed', `The model gives ${given} weights, but ${path} has ${known} words`, {
    remedy: 'Choose a model of the SPLADE family.',
  })
}
