/** What a model's folder holds, and how its fetching is followed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type Dtype = 'fp32' | 'int8'

/** Without these a model cannot be used. */
export const requiredFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const

/** These say how sentence-transformers uses the model. */
export const optionalFiles = [
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
] as const

/** Where exporters put the weights; the first that is there counts. */
export const weightsFiles: Readonly<Record<Dtype, readonly string[]>> = {
  fp32: ['onnx/model.onnx', 'model.onnx'],
  int8: ['onnx/model_int8.onnx', 'onnx/model_quantized.onnx', 'onnx/model_quint8_avx2.onnx'],
}

/** A model that can be loaded. */
export interface ModelFiles {
  readonly folder: string
  /** The path of the file with the weights. */
  readonly weights: string
}

/** The model in a folder, or what the folder lacks. */
export function filesIn(folder: string, dtype: Dtype): ModelFiles | { readonly missing: readonly string[] } {
  const missing: string[] = requiredFiles.filter((file) => !existsSync(join(folder, file)))
  const weights = weightsFiles[dtype].map((file) => join(folder, file)).find(existsSync)
  if (weights === undefined) missing.push(weightsFiles[dtype].join(' or '))
  return weights === undefined || missing.length > 0 ? { missing } : { folder, weights }
}

/** One moment of the fetching of a model, which takes a while. */
export interface ModelProgress {
  /** What is being done, in a few words. */
  readonly step: string
  /** Bytes so far, where the step is a download. */
  readonly done?: number
  /** Bytes in all, where the server says so. */
  readonly total?: number
}

export interface FetchModelOptions {
  readonly dtype: Dtype
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined
}
