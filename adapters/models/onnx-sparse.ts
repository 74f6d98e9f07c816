/**
 * Learned sparse weights in this process, by the optional packages `onnxruntime-node` and `@huggingface/tokenizers`: models of the
 * SPLADE family.
 */
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import type { SparseEncoder, WordWeights } from '../../src/types.ts'
import { batchesByLength } from './batches-by-length.ts'
import { readTextLimits } from './model-config.ts'
import { readModelFile } from './model-file.ts'
import { findModel } from './model-folder.ts'
import { loadOnnxPackages, loadTokenizers, type OnnxOptions, onnxShape } from './onnx-packages.ts'
import { type OnnxSession, openOnnxSession } from './onnx-session.ts'
import { readTensors } from './safetensors.ts'
import { type SpladeOutput, tableWeights, wordWeights } from './splade.ts'
import { readTokenizer, readVocabulary } from './tokenize.ts'
import { throwIfAborted } from './with-timeout.ts'

export interface OnnxSparseEncoderOptions extends OnnxOptions {
  /**
   * A name on the model hub, or a folder with `config.json`, `tokenizer.json`, `tokenizer_config.json` and `onnx/model.onnx`. The model
   * must give `logits` of its vocabulary, as it is exported for the task `fill-mask`, or weights as `sparse_embedding`. If there is
   * an `idf.json` (words and their weights), or the table in `query_0_SparseStaticEmbedding` of Sentence Transformers, queries are
   * looked up in it: only documents need the network (then in `document_0_Transformer` or `document_0_MLMTransformer`) and its package.
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
  const { model, dtype, threads, batchTokens } = settings
  const tokenizers = await loadTokenizers(options.tokenizers)
  // A folder with a table may lack the network, where only queries are encoded.
  const { name, folder } = tableFiles.some((file) => existsSync(join(model, file)))
    ? { name: basename(resolve(model)), folder: resolve(model) }
    : await findModel(model, settings)
  const home =
    homes.map((one) => join(folder, one)).find((one) => existsSync(join(one, 'tokenizer.json'))) ?? folder
  const { maxTokens, padId } = await readTextLimits(home)
  const tokenize = await readTokenizer(tokenizers, home, Math.min(maxTokens, settings.maxTokens))
  const words = await readVocabulary(home)
  const table = await readTable(folder, words)
  const takesLogTwice = await isLogTwice(folder)
  const empty = tokenize('')
  let session: Promise<OnnxSession> | undefined
  if (table === undefined) await opened()

  /** The network, opened once. */
  function opened(): Promise<OnnxSession> {
    session ??= open().catch((error: unknown) => {
      session = undefined
      throw error
    })
    return session
  }

  async function open(): Promise<OnnxSession> {
    const [runtime] = await loadOnnxPackages({ ...options, tokenizers })
    const { weights } = await findModel(table === undefined ? model : home, settings)
    return openOnnxSession(runtime, {
      weights,
      padId,
      threads,
      outputs: ['sparse_embedding', 'logits'],
      remedy: 'Export the model for the task "fill-mask".',
      failure: 'embed-failed',
    })
  }

  return {
    name: `onnx:${name}${dtype === 'fp32' ? '' : `:${dtype}`}`,
    async encode(texts, { kind, signal }) {
      const rows = texts.map((text) => ({ ids: tokenize(text) }))
      if (kind === 'query' && table !== undefined)
        return rows.map(({ ids }) =>
          tableWeights(
            ids.filter((id) => !empty.includes(id)),
            words,
            table,
          ),
        )
      const found = texts.map((): WordWeights => new Map())
      const filled = [...rows.keys()].filter((at) => rows[at]!.ids.length > empty.length)
      for (const batch of batchesByLength(
        filled.map((at) => rows[at]!.ids.length),
        batchTokens,
      )) {
        throwIfAborted('Encoding', signal)
        const places = batch.map((one) => filled[one]!)
        const output = await (await opened()).run(places.map((at) => rows[at]!))
        checkWords(join(home, 'tokenizer.json'), output.dims.at(-1)!, words.length)
        for (const [place, at] of places.entries())
          found[at] = wordWeights(output as SpladeOutput, place, rows[at]!.ids.length, words, takesLogTwice)
      }
      return found
    },
    close: async () => (await session)?.close(),
  }
}

const tableFolder = 'query_0_SparseStaticEmbedding'

/** Weights of words for queries, of models that weigh documents alone: OpenSearch's file, and Sentence Transformers'. */
const tableFiles = ['idf.json', join(tableFolder, 'model.safetensors')] as const

/** Where the tokenizer is, and the network: Sentence Transformers gives each part of a model a folder. */
const homes = ['', 'document_0_Transformer', 'document_0_MLMTransformer', tableFolder]

async function readTable(
  folder: string,
  words: readonly string[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const [byWord, byId] = tableFiles.map((file) => join(folder, file)) as [string, string]
  if (existsSync(byWord))
    return new Map(Object.entries(await readModelFile(byWord, z.record(z.string(), z.number()))))
  if (!existsSync(byId)) return undefined
  const weights = (await readTensors(byId)).get('weight')
  if (weights === undefined || weights.length < words.length)
    throw new QuerentError('bad-file', `${byId} has no weight of ${words.length} numbers, one a word`, {
      remedy: 'Fetch the model again.',
    })
  return new Map(Array.from(weights, (weight, id) => [words[id] ?? `[${id}]`, weight]))
}

const poolingFile = z.object({ activation_function: z.enum(['relu', 'log1p_relu']).default('relu') })

/** Where Sentence Transformers says how logits become weights, of models of one part and of two. */
const poolings = ['1_SpladePooling/config.json', 'document_1_SpladePooling/config.json']

async function isLogTwice(folder: string): Promise<boolean> {
  const path = poolings.map((one) => join(folder, one)).find(existsSync)
  return path !== undefined && (await readModelFile(path, poolingFile)).activation_function === 'log1p_relu'
}

/** Vocabularies may be padded, but the model must know all words. */
function checkWords(path: string, given: number, known: number): void {
  if (given >= known) return
  throw new QuerentError('embed-failed', `The model gives ${given} weights, but ${path} has ${known} words`, {
    remedy: 'Choose a model of the SPLADE family.',
  })
}
