/** A runtime of ONNX whose network computes what a test says, and remembers what it was given. */
import type { OnnxRuntime } from '../../adapters/models/onnx-session.ts'

type Row = readonly number[]

/** The rows of each input. */
type Rows = Readonly<Record<string, readonly Row[]>>

export interface Network {
  readonly inputNames?: readonly string[]
  readonly outputNames?: readonly string[]
  /** Called with the number of each run, from 1, before it computes. */
  readonly onRun?: (run: number) => unknown
}

class FakeTensor {
  readonly data: BigInt64Array
  readonly dims: readonly number[]
  constructor(_: 'int64', data: BigInt64Array, dims: readonly number[]) {
    this.data = data
    this.dims = dims
  }
}

/** @param compute what the output is for the rows of token ids */
export function fakeOnnx(
  compute: (rows: readonly Row[]) => { readonly data: Row; readonly dims: Row },
  {
    inputNames = ['input_ids', 'attention_mask', 'token_type_ids'],
    outputNames = ['logits'],
    onRun = () => {},
  }: Network = {},
) {
  const runs: Rows[] = []
  const created: unknown[][] = []
  const closed = { times: 0 }
  const rowsOf = ({ data, dims }: FakeTensor): Row[] => {
    const [values, width] = [[...data].map(Number), dims[1]!]
    return Array.from({ length: dims[0]! }, (_, at) => values.slice(at * width, (at + 1) * width))
  }
  const runtime: OnnxRuntime = {
    Tensor: FakeTensor,
    InferenceSession: {
      async create(...parameters) {
        created.push(parameters)
        return {
          inputNames,
          outputNames,
          async run(inputs) {
            const tensors = Object.entries(inputs) as [string, FakeTensor][]
            const rows: Rows = Object.fromEntries(tensors.map(([name, tensor]) => [name, rowsOf(tensor)]))
            runs.push(rows)
            await onRun(runs.length)
            const { data, dims } = compute(rows.input_ids!)
            return { [outputNames[0]!]: { data: Float32Array.from(data), dims } }
          },
          async release() {
            closed.times++
          },
        }
      },
    },
  }
  return { runtime, runs, created, closed }
}
