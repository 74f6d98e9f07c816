/** Reads tensors from a file in the format safetensors: a header in JSON, then the numbers of all tensors. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { unusable } from './reason.ts'

/** The numbers of a tensor, row by row. */
export type Tensors = ReadonlyMap<string, Float32Array>

/** How many bytes a number has, and how it is read. */
const numbers = {
  F32: [4, (view: DataView, at: number) => view.getFloat32(at, true)],
  // The upper half of a 32-bit number.
  BF16: [2, (view: DataView, at: number) => fromBits(view.getUint16(at, true) << 16)],
  F16: [2, (view: DataView, at: number) => fromHalf(view.getUint16(at, true))],
} as const

const headerSchema = z.record(
  z.string(),
  z.object({
    dtype: z.enum(['F32', 'F16', 'BF16']),
    data_offsets: z.tuple([z.int().min(0), z.int().min(0)]),
  }),
)

/** @throws QuerentError `bad-file` if the file cannot be read, is cut off, or has numbers of another kind */
export async function readTensors(path: string): Promise<Tensors> {
  try {
    const { buffer, byteOffset, byteLength } = await readFile(path)
    const file = new DataView(buffer, byteOffset, byteLength)
    const start = 8 + Number(file.getBigUint64(0, true))
    const header = new TextDecoder().decode(new Uint8Array(buffer, byteOffset + 8, start - 8))
    const { __metadata__: _, ...tensors } = JSON.parse(header) as Readonly<Record<string, unknown>>
    return new Map(
      Object.entries(headerSchema.parse(tensors)).map(
        ([
          name,
          {
            dtype,
            data_offsets: [from, to],
          },
        ]) => {
          const [size, read] = numbers[dtype]
          return [
            name,
            Float32Array.from({ length: (to - from) / size }, (_, at) =>
              read(file, start + from + size * at),
            ),
          ]
        },
      ),
    )
  } catch (cause) {
    throw unusable(`${path} cannot be used`, cause)
  }
}

const word = new DataView(new ArrayBuffer(4))

function fromBits(bits: number): number {
  word.setInt32(0, bits)
  return word.getFloat32(0)
}

/** IEEE 754 binary16: a sign, five bits of the exponent, ten of the fraction. */
function fromHalf(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
