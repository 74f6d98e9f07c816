/** The optional packages that run ONNX models. */
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { count } from '../../src/config.ts'
import { type OptionalPackage, optionalPackages } from '../../src/runtime/optional-package.ts'
import type { Dtype, ModelProgress } from './model-files.ts'
import type { OnnxRuntime } from './onnx-session.ts'
import type { TokenizersPackage } from './tokenize.ts'

/** Options of all that runs ONNX models. */
export interface OnnxOptions {
  /** `int8` is faster and less precise, and needs a model that has it. Default: `fp32`. */
  readonly dtype?: Dtype | undefined
  /** Threads of one run. Default: one per processor, at most 4. */
  readonly threads?: number | undefined
  /** Called while a model is downloaded. */
  readonly onProgress?: ((progress: ModelProgress) => void) | undefined
  /** Stops the download of a model. */
  readonly signal?: AbortSignal | undefined
  /** Default: the installed `onnxruntime-node`. */
  readonly runtime?: OnnxRuntime | undefined
  /** Default: the installed `@huggingface/tokenizers`. */
  readonly tokenizers?: TokenizersPackage | undefined
}

export const onnxShape = {
  dtype: z.enum(['fp32', 'int8']).default('fp32'),
  threads: count.default(() => Math.min(4, availableParallelism())),
  onProgress: z.custom<(progress: ModelProgress) => void>((value) => typeof value === 'function').optional(),
  signal: z.instanceof(AbortSignal).optional(),
  runtime: z.custom<OnnxRuntime>().optional(),
  tokenizers: z.custom<TokenizersPackage>().optional(),
}

/** The required packages. Without the variable, the install script of the runtime looks for GPU files, and fails offline. */
export const onnxPackages: readonly [OptionalPackage<OnnxRuntime>, OptionalPackage<TokenizersPackage>] = [
  {
    name: 'onnxruntime-node',
    load: () => import('onnxruntime-node' as string),
    environment: 'ONNXRUNTIME_NODE_INSTALL=skip',
  },
  { name: '@huggingface/tokenizers', load: () => import('@huggingface/tokenizers') },
]

/** Loads the packages that were not given. @throws QuerentError `missing-package` that names all that are missing */
export function loadOnnxPackages(given: {
  readonly runtime?: OnnxRuntime | undefined
  readonly tokenizers?: TokenizersPackage | undefined
}): Promise<[OnnxRuntime, TokenizersPackage]> {
  const [runtime, tokenizers] = onnxPackages
  return optionalPackages<[OnnxRuntime, TokenizersPackage]>([
    orGiven(runtime, given.runtime),
    orGiven(tokenizers, given.tokenizers),
  ])
}

/** For models that encode texts without running. @throws QuerentError `missing-package` */
export async function loadTokenizers(given: TokenizersPackage | undefined): Promise<TokenizersPackage> {
  const [tokenizers] = await optionalPackages<[TokenizersPackage]>([orGiven(onnxPackages[1], given)])
  return tokenizers
}

const orGiven = <T>(one: OptionalPackage<T>, given: T | undefined): OptionalPackage<T> =>
  given === undefined ? one : { ...one, load: async () => given }
