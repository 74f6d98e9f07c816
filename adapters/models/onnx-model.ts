/** Runs a transformer in ONNX with `onnxruntime-node`: rows of token ids in, one vector per row out. */
import { QuerentError } from '../../src/errors.ts'
import type { ModelConfig } from './model-config.ts'
import { pool } from './pooling.ts'
import { reasonOf } from './reason.ts'
import { unitVector } from './unit-vector.ts'

/** The parts of `onnxruntime-node` that Querent uses. The package is optional, so its own types may be absent. */
export interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: Readonly<Record<string, unknown>>): Promise<OnnxSession>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor
}

interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>
  release(): Promise<void>
}

interface OnnxTensor {
  readonly data: unknown
  readonly dims: readonly number[]
}

export interface OnnxModel {
  /** Returns one unit-length vector per row, in the order of the rows. Rejects with `embed-failed`. */
  run(rows: readonly (readonly number[])[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** The value of each input at one position of a row. `id` is `undefined` after the end of the row. */
const inputs = new Map<string, (id: number | undefined, padId: number) => number>([
  ['input_ids', (id, padId) => id ?? padId],
  ['attention_mask', (id) => (id === undefined ? 0 : 1)],
  ['token_type_ids', () => 0],
])

/** The names that exporters give to the vectors of the tokens. */
const outputs = ['last_hidden_state', 'token_embeddings']

/** @throws QuerentError `bad-file` if the file is not a model, or a model with other inputs or outputs. */
export async function openOnnxModel(
  runtime: OnnxRuntime,
  weights: string,
  { padId, pooling }: ModelConfig,
  threads: number,
): Promise<OnnxModel> {
  const session = await openSession(runtime, weights, threads)
  const output = outputs.find((name) => session.outputNames.includes(name))
  const foreign = session.inputNames.find((name) => !inputs.has(name))
  if (output === undefined || foreign !== undefined) {
    const what = foreign === undefined ? `gives none of ${outputs.join(', ')}` : `takes an input ${foreign}`
    throw new QuerentError('bad-file', `The model ${weights} ${what}`, {
      remedy: 'Export the model for the task "feature-extraction".',
    })
  }

  return {
    async run(rows) {
      const longest = Math.max(...rows.map((row) => row.length))
      const feeds = session.inputNames.map((name) => {
        const values = rows.flatMap((row) =>
          Array.from({ length: longest }, (_, at) => BigInt(inputs.get(name)!(row[at], padId))),
        )
        return [name, new runtime.Tensor('int64', BigInt64Array.from(values), [rows.length, longest])]
      })
      const { data, dims } = await session.run(Object.fromEntries(feeds)).then(
        (found) => found[output]!,
        (cause: unknown) => {
          throw new QuerentError('embed-failed', `The model ${weights} failed: ${reasonOf(cause)}`, { cause })
        },
      )
      const shape = { longest, dimensions: dims[2]! }
      return rows.map((row, text) =>
        unitVector(pool(data as Float32Array, { ...shape, text, tokens: row.length }, pooling)),
      )
    },
    close: () => session.release(),
  }
}

async function openSession(runtime: OnnxRuntime, weights: string, threads: number): Promise<OnnxSession> {
  try {
    return await runtime.InferenceSession.create(weights, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // Spinning threads are hardly faster, and take the processors away from all other work.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    })
  } catch (cause) {
    throw new QuerentError('bad-file', `The model ${weights} cannot be run: ${reasonOf(cause)}`, {
      remedy: 'Delete the folder of the model, so that it is fetched again.',
      cause,
    })
  }
}
