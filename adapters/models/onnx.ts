/**
 * Text embeddings in this process, by the optional packages `onnxruntime-node` and `@huggingface/tokenizers`. Vectors equal those
 * of sentence-transformers, scaled to length 1.
 */
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { type OptionalPackage, optionalPackages } from '../../src/runtime/optional-package.ts'
import type { Embedder } from '../../src/types.ts'
import { type Instructions, instruct, instructionsShape, instructionsSuffix } from './instructions.ts'
import { readModelConfig } from './model-config.ts'
import type { Dtype, ModelProgress } from './model-files.ts'
import { defaultModel, findModel } from './model-folder.ts'
import { type OnnxRuntime, openOnnxModel } from './onnx-model.ts'
import { readTokenizer, type TokenizersPackage } from './tokenize.ts'
import { throwIfAborted } from './with-timeout.ts'

export interface OnnxEmbedderOptions extends Instructions {
  /**
   * A name on the model hub, the `name` of an embedder of this kind, or a folder with `tokenizer.json` and `onnx/model.onnx`.
   * Default: all-MiniLM-L6-v2. The instructions default to the model's own.
   */
  readonly model?: string
  /** `int8` is twice as fast but less exact, and the vector of a text depends on its batch. Default: `fp32`. */
  readonly dtype?: Dtype
  /** Threads of one run. Default: one per processor, at most 4. */
  readonly threads?: number
  /**
   * Maximum number of tokens of one run, including padding. A longer text gets a run of its own. Default: 1,024, which is close
   * to the fastest, and takes less than a tenth of a second.
   */
  readonly batchTokens?: number
  /** Called while a model is downloaded. */
  readonly onProgress?: (progress: ModelProgress) => void
  /** Stops the download of a model. */
  readonly signal?: AbortSignal
  /** Default: the installed `onnxruntime-node`. */
  readonly runtime?: OnnxRuntime
  /** Default: the installed `@huggingface/tokenizers`. */
  readonly tokenizers?: TokenizersPackage
}

const optionsSchema = z.strictObject({
  ...instructionsShape,
  model: z.string().min(1).optional(),
  dtype: z.enum(['fp32', 'int8']).optional(),
  threads: z.int().positive().optional(),
  batchTokens: z.int().positive().optional(),
  onProgress: z.function().optional(),
  signal: z.instanceof(AbortSignal).optional(),
  runtime: z.custom<OnnxRuntime>().optional(),
  tokenizers: z.custom<TokenizersPackage>().optional(),
})

/** The required packages. Without the variable, the install script of the runtime looks for GPU files, and fails offline. */
export const onnxPackages: readonly [OptionalPackage<OnnxRuntime>, OptionalPackage<TokenizersPackage>] = [
  {
    name: 'onnxruntime-node',
    load: () => import('onnxruntime-node' as string),
    environment: 'ONNXRUNTIME_NODE_INSTALL=skip',
  },
  { name: '@huggingface/tokenizers', load: () => import('@huggingface/tokenizers') },
]

/**
 * Makes an embedder that runs in this process. For the source of the model see `findModel`. A run blocks the process. Between
 * runs, other work continues and an aborted signal takes effect.
 *
 * @throws QuerentError `bad-config`; `missing-package`; `missing-model`; `bad-file` if the model in the folder cannot be used;
 *   `embed-failed` if it does not run; `aborted`.
 */
export async function onnxEmbedder(options: OnnxEmbedderOptions = {}): Promise<Embedder> {
  parseConfig(optionsSchema, options, 'onnxEmbedder')
  const { model = defaultModel, dtype = 'fp32', threads, batchTokens = 1024, signal, onProgress } = options
  const [runtimePackage, tokenizersPackage] = onnxPackages
  const [runtime, tokenizers] = await optionalPackages<[OnnxRuntime, TokenizersPackage]>([
    orGiven(runtimePackage, options.runtime),
    orGiven(tokenizersPackage, options.tokenizers),
  ])

  const { name, folder, weights } = await findModel(model.replace(/^onnx:/, ''), {
    dtype,
    signal,
    onProgress,
  })
  const config = await readModelConfig(folder)
  const instructions: Instructions = {
    queryPrefix: options.queryPrefix ?? config.prompts.query ?? '',
    documentPrefix: options.documentPrefix ?? config.prompts.document ?? '',
  }
  const tokenize = await readTokenizer(tokenizers, folder, config.maxTokens)
  const network = await openOnnxModel(
    runtime,
    weights,
    config,
    threads ?? Math.min(4, availableParallelism()),
  )
  const [probe] = await network.run([tokenize('dimensions')])

  return {
    name: `onnx:${name}${dtype === 'fp32' ? '' : `:${dtype}`}${instructionsSuffix(options)}`,
    dimensions: probe!.length,
    async embed(texts, { kind, signal }) {
      const rows = texts.map((text) => tokenize(instruct(text, kind, instructions)))
      const vectors = new Array<Float32Array>(texts.length)
      for (const batch of batchesByLength(rows, batchTokens)) {
        throwIfAborted('Embedding', signal)
        const found = await network.run(batch.map((at) => rows[at]!))
        for (const [place, at] of batch.entries()) vectors[at] = found[place]!
      }
      return vectors
    },
    close: () => network.close(),
  }
}

const orGiven = <T>(one: OptionalPackage<T>, given: T | undefined): OptionalPackage<T> =>
  given === undefined ? one : { ...one, load: async () => given }

/** The positions of the rows in batches. Rows of similar length share a batch, because padding costs as much as text. */
function* batchesByLength(
  rows: readonly (readonly number[])[],
  batchTokens: number,
): Generator<readonly number[]> {
  const places = [...rows.keys()].sort((a, b) => rows[b]!.length - rows[a]!.length || a - b)
  for (let first = 0; first < places.length; ) {
    const longest = rows[places[first]!]!.length
    const count = Math.max(1, Math.floor(batchTokens / longest))
    yield places.slice(first, first + count)
    first += count
  }
}
