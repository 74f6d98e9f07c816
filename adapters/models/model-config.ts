/** Reads from the files in a model's folder how to use the model, as sentence-transformers does. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { count } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { type Layer, readLayer } from './layers.ts'
import { layersOf, modulesFile, readModelFile, typeOf } from './model-file.ts'
import type { Pooling } from './pooling.ts'

/** How texts become tokens. */
export interface TextLimits {
  /** Maximum number of tokens of a text, including special tokens. */
  readonly maxTokens: number
  /** The token that pads the shorter texts of a batch. */
  readonly padId: number
}

export interface ModelConfig extends TextLimits {
  readonly pooling: Pooling
  /** What stands behind pooling: the head of a re-ranker, or layers of an embedding model. */
  readonly layers: readonly Layer[]
  /** The instructions that the model's authors put before queries and documents. */
  readonly prompts: { readonly query?: string; readonly document?: string }
}

const transformerFile = z.object({
  max_position_embeddings: count.nullish(),
  pad_token_id: z.int().min(0).nullish(),
})
// A tokenizer without a limit has a `model_max_length` of 10³⁰.
const tokenizerFile = z.object({ model_max_length: z.number().positive().nullish() })
const limitFile = z.object({ max_seq_length: count.nullish() })
const promptsFile = z.object({
  prompts: z.object({ query: z.string().nullish(), document: z.string().nullish() }).nullish(),
})
const poolingFile = z.record(z.string(), z.unknown())

/** The modules of sentence-transformers that Querent can run. Dropout is for training. */
const knownModules = ['Transformer', 'Pooling', 'Dense', 'LayerNorm', 'Dropout', 'Normalize']

/**
 * Reads the configuration in a folder. If files of sentence-transformers are missing, pooling is `mean`, the limit is the
 * transformer's, and there are no prompts.
 *
 * @throws QuerentError `bad-file` if a file cannot be read, or needs something that Querent cannot run.
 */
export async function readModelConfig(folder: string): Promise<ModelConfig> {
  const [limits, sentences, modules = [], pooling] = await Promise.all([
    readTextLimits(folder),
    read(join(folder, 'config_sentence_transformers.json'), promptsFile),
    read(join(folder, 'modules.json'), modulesFile),
    read(join(folder, '1_Pooling/config.json'), poolingFile),
  ])
  const unknown = modules.find((module) => !knownModules.includes(typeOf(module)))
  if (unknown !== undefined) {
    throw unfit(`${join(folder, 'modules.json')} has a part ${unknown.type}`, knownModules)
  }
  const { query, document } = sentences?.prompts ?? {}
  return {
    ...limits,
    pooling: pooling === undefined ? 'mean' : poolingOf(pooling, join(folder, '1_Pooling/config.json')),
    layers: await Promise.all(
      layersOf(modules).map((module) => readLayer(typeOf(module), join(folder, module.path))),
    ),
    prompts: { ...(query && { query }), ...(document && { document }) },
  }
}

/** @throws QuerentError `bad-file` if a file cannot be read */
export async function readTextLimits(folder: string): Promise<TextLimits> {
  const [transformer, tokenizer, limit] = await Promise.all([
    read(join(folder, 'config.json'), transformerFile),
    read(join(folder, 'tokenizer_config.json'), tokenizerFile),
    read(join(folder, 'sentence_bert_config.json'), limitFile),
  ])
  return {
    maxTokens:
      limit?.max_seq_length ??
      Math.min(tokenizer?.model_max_length ?? Infinity, transformer?.max_position_embeddings ?? 512),
    padId: transformer?.pad_token_id ?? 0,
  }
}

/** The names of poolings in model files. Newer files name one pooling; older files have a switch for each. */
const poolingNames: ReadonlyMap<unknown, Pooling> = new Map([
  ['mean', 'mean'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['cls', 'cls'],
  ['pooling_mode_cls_token', 'cls'],
  ['lasttoken', 'lasttoken'],
  ['pooling_mode_lasttoken', 'lasttoken'],
])

function poolingOf(file: Readonly<Record<string, unknown>>, path: string): Pooling {
  const switches = Object.keys(file).filter((key) => key.startsWith('pooling_mode_') && file[key] === true)
  const names = file.pooling_mode === undefined ? switches : [file.pooling_mode].flat()
  if (file.include_prompt === false) {
    throw new QuerentError('bad-file', `${path} leaves the instruction out of the vector (include_prompt)`, {
      remedy: 'Choose a model that does not.',
    })
  }
  const pooling = poolingNames.get(names[0])
  if (names.length !== 1 || pooling === undefined) {
    throw unfit(`${path} asks for pooling by ${names.join(' and ') || 'nothing'}`, [...poolingNames.values()])
  }
  return pooling
}

function unfit(what: string, known: readonly string[]): QuerentError {
  return new QuerentError('bad-file', what, {
    remedy: `Choose a model that does with ${[...new Set(known)].join(', ')}.`,
  })
}

/** @returns undefined if the file does not exist */
const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> =>
  existsSync(path) ? readModelFile(path, schema) : undefined
