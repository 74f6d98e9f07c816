/** Runs a text encoder in ONNX and the layers behind it: rows of token ids in, one vector per row out. */
import type { ModelConfig } from './model-config.ts'
import { type OnnxRuntime, openOnnxSession, type SessionOptions, type TokenRow } from './onnx-session.ts'
import { pool } from './pooling.ts'

export interface OnnxModel {
  /** Returns one vector per row, in the order of the rows. Rejects with `failure`. */
  run(rows: readonly TokenRow[]): Promise<Float64Array[]>
  close(): Promise<void>
}

/** @throws QuerentError `bad-file` if the file is not a model, or a model with other inputs or outputs. */
export async function openOnnxModel(
  runtime: OnnxRuntime,
  { padId, pooling, layers }: ModelConfig,
  options: Pick<SessionOptions, 'weights' | 'threads' | 'failure'>,
): Promise<OnnxModel> {
  const session = await openOnnxSession(runtime, {
    ...options,
    padId,
    outputs: ['last_hidden_state', 'token_embeddings'],
    remedy: 'Export the model for the task "feature-extraction".',
  })
  return {
    async run(rows) {
      const { data, dims } = await session.run(rows)
      const shape = { longest: dims[1]!, dimensions: dims[2]! }
      return rows.map(({ ids }, text) =>
        layers.reduce(
          (vector, layer) => layer(vector),
          pool(data as Float32Array, { ...shape, text, tokens: ids.length }, pooling),
        ),
      )
    },
    close: () => session.close(),
  }
}
