/**
 * `querent/models`: chat models, embedders and sparse encoders.
 *
 * @module querent/models
 */

export type { Dtype, FetchModelOptions, ModelProgress } from './model-files.ts'
export { type OnnxEmbedderOptions, onnxEmbedder } from './onnx.ts'
export type { OnnxOptions } from './onnx-packages.ts'
export { type OnnxSparseEncoderOptions, onnxSparseEncoder } from './onnx-sparse.ts'
export {
  type OpenAIChatOptions,
  type OpenAIEmbedderOptions,
  openaiChat,
  openaiEmbedder,
} from './openai.ts'
export type { OpenAIServerOptions } from './openai-server.ts'
