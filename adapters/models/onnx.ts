/**
 * Text embeddings in this process, by the optional packages `onnxruntime-node` and `@huggingface/tokenizers`. Vectors equal those
 * of sentence-transformers, scaled to length 1.
 */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import type { Embedder } from '../../src/types.ts'
import { batchesByLength } from './batches-by-length.ts'
import { identityOf } from './identity.ts'
import { type Instructions, instruct, instructionsShape, instructionsSuffix } from './instructions.ts'
import { readModelConfig } from './model-config.ts'
import type { Dtype } from './model-files.ts'
import { defaultModel, findModel } from './model-folder.ts'
import { openOnnxModel } from './onnx-model.ts'
import { loadOnnxPackages, type OnnxOptions, onnxShape } from './onnx-packages.ts'
import { readTokenizer } from './tokenize.ts'
import { unitVector } from './unit-vector.ts'
import { throwIfAborted } from './with-timeout.ts'

export interface OnnxEmbedderOptions extends Instructions, OnnxOptions {
  /**
   * A name on the model hub, the `name` of an embedder of this kind, or a folder with `tokenizer.json` and `onnx/model.onnx`.
   * Default: all-MiniLM-L6-v2. The instructions default to the model's own.
   */
  readonly model?: string
  /** `int8` is twice as fast but less exact, and the vector of a text depends on its batch. Default: `fp32`. */
  readonly dtype?: Dtype | undefined
  /**
   * Maximum number of tokens of one run, including padding. A longer text gets a run of its own. Default: 1,024, which is close
   * to the fastest, and takes less than a tenth of a second.
   */
  readonly batchTokens?: number
}

const optionsSchema = z.strictObject({
  ...instructionsShape,
  ...onnxShape,
  model: z.string().min(1).default(defaultModel),
  batchTokens: z.int().positive().default(1024),
})

/**
 * Makes an embedder that runs in this process. For the source of the model see `findModel`. A run blocks the process. Between
 * runs, other work continues and an aborted signal takes effect.
 *
 * @throws QuerentError `bad-config`; `missing-package`; `missing-model`; `bad-file` if the model in the folder cannot be used;
 *   `embed-failed` if it does not run; `aborted`.
 */
export async function onnxEmbedder(options: OnnxEmbedderOptions = {}): Promise<Embedder> {
  const settings = parseConfig(optionsSchema, options, 'onnxEmbedder')
  const { model, dtype, threads, batchTokens } = settings
  const [runtime, tokenizers] = await loadOnnxPackages(options)
  const { name, folder, weights } = await findModel(model.replace(/^onnx:/, ''), settings)
  const read = await readModelConfig(folder)
  const { layers: _, ...config } = read
  const instructions: Instructions = {
    queryPrefix: options.queryPrefix ?? config.prompts.query ?? '',
    documentPrefix: options.documentPrefix ?? config.prompts.document ?? '',
  }
  const tokenize = await readTokenizer(tokenizers, folder, config.maxTokens)
  const network = await openOnnxModel(runtime, read, { weights, threads, failure: 'embed-failed' })
  const embedded = async (rows: readonly (readonly number[])[]): Promise<Float32Array[]> =>
    (await network.run(rows.map((ids) => ({ ids })))).map(unitVector)
  const [probe] = await embedded([tokenize('dimensions')])

  return {
    name: `onnx:${name}${dtype === 'fp32' ? '' : `:${dtype}`}${instructionsSuffix(options)}`,
    // Folders of one name may hold different models. A vector tells them apart, and is the same wherever a folder was copied to.
    identity: identityOf({ instructions, config, probe: [...probe!] }),
    dimensions: probe!.length,
    async embed(texts, { kind, signal }) {
      const rows = texts.map((text) => tokenize(instruct(text, kind, instructions)))
      const vectors = new Array<Float32Array>(texts.length)
      for (const batch of batchesByLength(
        rows.map((row) => row.length),
        batchTokens,
      )) {
        throwIfAborted('Embedding', signal)
        const found = await embedded(batch.map((at) => rows[at]!))
        for (const [place, at] of batch.entries()) vectors[at] = found[place]!
      }
      return vectors
    },
    close: () => network.close(),
  }
}
