/** Runs a transformer in ONNX with `onnxruntime-node`: rows of token ids in, one tensor out. */
import { QuerentError } from '../../src/errors.ts'
import { reasonOf, unusable } from './reason.ts'

/** The parts of `onnxruntime-node` that Querent uses. The package is optional, so its own types may be absent. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<RuntimeSession>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor
}

interface RuntimeSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>
  release(): Promise<void>
}

interface OnnxTensor {
  readonly data: unknown
  readonly dims: readonly number[]
}

/** The tokens of one text or of a pair of texts. */
export interface TokenRow {
  readonly ids: readonly number[]
  /** 0 for tokens of the first text, 1 for tokens of the second one. Default: all 0. */
  readonly types?: readonly number[]
}

export interface SessionOptions {
  /** The path of the model. */
  readonly weights: string
  readonly threads: number
  /** The token that fills up the shorter rows of a batch. */
  readonly padId: number
  /** The names that exporters give to the output. The first one that the model has is used. */
  readonly outputs: readonly string[]
  /** The remedy where it has none of these. */
  readonly remedy: string
  /** The code of the error if a run fails. */
  readonly failure: 'embed-failed' | 'rerank-failed'
}

export interface OnnxSession {
  /** Runs a batch. Rejects with `failure`. */
  run(rows: readonly TokenRow[]): Promise<OnnxTensor>
  close(): Promise<void>
}

/** The value of each input at one position of a row. The id is `undefined` after the end of the row. */
const inputs = new Map<string, (row: TokenRow, at: number, padId: number) => number>([
  ['input_ids', ({ ids }, at, padId) => ids[at] ?? padId],
  ['attention_mask', ({ ids }, at) => (at < ids.length ? 1 : 0)],
  ['token_type_ids', ({ types }, at) => types?.[at] ?? 0],
])

/** @throws QuerentError `bad-file` if the file is not a model, or a model with other inputs or outputs */
export async function openOnnxSession(runtime: OnnxRuntime, options: SessionOptions): Promise<OnnxSession> {
  const { weights, padId, outputs, remedy, failure } = options
  const session = await createSession(runtime, options)
  const output = outputs.find((name) => session.outputNames.includes(name))
  const foreign = session.inputNames.find((name) => !inputs.has(name))
  if (output === undefined || foreign !== undefined) {
    const what = foreign === undefined ? `gives none of ${outputs.join(', ')}` : `takes an input ${foreign}`
    throw new QuerentError('bad-file', `The model ${weights} ${what}`, { remedy })
  }

  return {
    async run(rows) {
      const longest = Math.max(...rows.map(({ ids }) => ids.length))
      const feeds = session.inputNames.map((name) => {
        const values = rows.flatMap((row) =>
          Array.from({ length: longest }, (_, at) => BigInt(inputs.get(name)!(row, at, padId))),
        )
        return [name, new runtime.Tensor('int64', BigInt64Array.from(values), [rows.length, longest])]
      })
      try {
        const found = await session.run(Object.fromEntries(feeds))
        return found[output]!
      } catch (cause) {
        throw new QuerentError(failure, `The model ${weights} failed: ${reasonOf(cause)}`, { cause })
      }
    },
    close: () => session.release(),
  }
}

async function createSession(
  runtime: OnnxRuntime,
  { weights, threads }: SessionOptions,
): Promise<RuntimeSession> {
  try {
    return await runtime.InferenceSession.create(weights, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Spinning threads are hardly faster, and take the processors away from all other work.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    })
  } catch (cause) {
    throw unusable(`The model ${weights} cannot be run`, cause)
  }
}
