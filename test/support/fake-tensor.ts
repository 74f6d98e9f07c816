/** A tensor of token ids, as scripted ONNX runtimes take it. */
export class FakeTensor {
  readonly data: BigInt64Array
  readonly dims: readonly number[]
  constructor(_: 'int64', data: BigInt64Array, dims: readonly number[]) {
    this.data = data
    this.dims = dims
  }
}
