/** The files in a model's folder, and the progress of a download. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type Dtype = 'fp32' | 'int8'

/** A model cannot be used without these files. */
export const requiredFiles = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const

/** These files describe how sentence-transformers uses the model. */
export const optionalFiles = [
  'modules.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
  '1_Pooling/config.json',
  'idf.json',
  '1_SpladePooling/config.json',
  'document_1_SpladePooling/config.json',
] as const

/** The paths at which exporters store the weights. The first existing file counts. */
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

/** Returns the model in a folder, or the files that are missing. */
export function filesIn(folder: string, dtype: Dtype): ModelFiles | { readonly missing: readonly string[] } {
  const missing: string[] = requiredFiles.filter((file) => !existsSync(join(folder, file)))
  const weights = weightsFiles[dtype].map((file) => join(folder, file)).find(existsSync)
  if (weights === undefined) missing.push(weightsFiles[dtype].join(' or '))
  return weights === undefined || missing.length > 0 ? { missing } : { folder, weights }
}

/** A progress report of a model download. */
export interface ModelProgress {
  /** A short description of the current step. */
  readonly step: string
  /** Bytes so far, if the step is a download. */
  readonly done?: number
  /** Total number of bytes, if the server reports it. */
  readonly total?: number
}

export interface FetchModelOptions {
  readonly dtype: Dtype
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined
}
