/** Runs a text encoder in ONNX: rows of token ids in, one vector per row out. */
import type { ModelConfig } from './model-config.ts'
import { type OnnxRuntime, openOnnxSession } from './onnx-session.ts'
import { pool } from './pooling.ts'
import { unitVector } from './unit-vector.ts'

export interface OnnxModel {
  /** Returns one unit-length vector per row, in the order of the rows. Rejects with `embed-failed`. */
  run(rows: readonly (readonly number[])[]): Promise<Float32Array[]>
  close(): Promise<void>
}

/** @throws QuerentError `bad-file` if the file is not a model, or a model with other inputs or outputs. */
export async function openOnnxModel(
  runtime: OnnxRuntime,
  weights: string,
  { padId, pooling }: ModelConfig,
  threads: number,
): Promise<OnnxModel> {
  const session = await openOnnxSession(runtime, {
    weights,
    threads,
    padId,
    outputs: ['last_hidden_state', 'token_embeddings'],
    task: 'feature-extraction',
    failure: 'embed-failed',
  })
  return {
    async run(rows) {
      const { data, dims } = await session.run(rows.map((ids) => ({ ids })))
      const shape = { longest: dims[1]!, dimensions: dims[2]! }
      return rows.map((row, text) =>
        unitVector(pool(data as Float32Array, { ...shape, text, tokens: row.length }, pooling)),
      )
    },
    close: () => session.close(),
  }
}
