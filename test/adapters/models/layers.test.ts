/** Layers behind an encoder, with weights of every kind. A whole re-ranker is compared with Python's in test/live/cross-encoder.test.ts. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readLayer } from '../../../adapters/models/layers.ts'
import { readTensors } from '../../../adapters/models/safetensors.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

type Tensor = readonly [dtype: string, bytes: Uint8Array]

const floats = (...values: readonly number[]): Tensor => [
  'F32',
  new Uint8Array(Float32Array.from(values).buffer),
]
const halves = (dtype: string, ...values: readonly number[]): Tensor => [
  dtype,
  new Uint8Array(Uint16Array.from(values).buffer),
]

function fileOf(tensors: Readonly<Record<string, Tensor>>): Buffer {
  let end = 0
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } }
  for (const [name, [dtype, bytes]] of Object.entries(tensors)) {
    header[name] = { dtype, shape: [bytes.length], data_offsets: [end, end + bytes.length] }
    end += bytes.length
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, ...Object.values(tensors).map(([, bytes]) => bytes)])
}

async function layerOf(type: string, config: object, tensors: Readonly<Record<string, Tensor>>) {
  const folder = join(await temporaryFolder(), '2_Layer')
  await mkdir(folder)
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  await writeFile(join(folder, 'model.safetensors'), fileOf(tensors))
  return readLayer(type, folder)
}

const dense = (activation: string) => ({
  in_features: 2,
  out_features: 1,
  activation_function: `torch.nn.modules.activation.${activation}`,
})
const weights = { 'linear.weight': floats(1, 2), 'linear.bias': floats(-0.5) }

describe('a dense layer', () => {
  it.each([
    // x = 1 · 1 + 2 · 0 − 0.5
    ['Identity', 0.5],
    ['Tanh', Math.tanh(0.5)],
    ['ReLU', 0.5],
    ['Sigmoid', 1 / (1 + Math.exp(-0.5))],
    ['SiLU', 0.5 / (1 + Math.exp(-0.5))],
    // x Φ(x), with Φ(0.5) of a table of the normal distribution.
    ['GELU', 0.5 * 0.6914625],
  ])('has the activation %s', async (activation, expected) => {
    const layer = await layerOf('Dense', dense(activation), weights)
    expect(layer(Float64Array.of(1, 0))[0]).toBeCloseTo(expected, 6)
  })

  it.each([
    ['an activation of its own', dense('Mish'), weights, /Mish/],
    ['a residual', { ...dense('ReLU'), use_residual: true }, weights, /config\.json/],
    [
      'weights of another size',
      dense('ReLU'),
      { ...weights, 'linear.weight': floats(1) },
      /linear\.weight of 2/,
    ],
    ['no bias where one is promised', dense('ReLU'), { 'linear.weight': floats(1, 2) }, /linear\.bias/],
    [
      'weights in eight bits',
      dense('ReLU'),
      { ...weights, 'linear.bias': ['I8', Uint8Array.of(1)] as Tensor },
      /safetensors/,
    ],
  ])('is refused with %s', async (_, config, tensors, fact) => {
    await expectError(layerOf('Dense', config, tensors), 'bad-file', fact)
  })
})

it('layer norm has mean 0 and deviation 1, scaled and shifted', async () => {
  const tensors = { 'norm.weight': floats(2, 1), 'norm.bias': floats(0, 5) }
  const layer = await layerOf('LayerNorm', { dimension: 2 }, tensors)
  // (3 − 5) / 2 = −1 and 1.
  const [first, second] = layer(Float64Array.of(3, 7))
  expect(first).toBeCloseTo(-2, 4)
  expect(second).toBeCloseTo(6, 4)
})

it('numbers of 16 bits are read as what they are', async () => {
  const path = join(await temporaryFolder(), 'model.safetensors')
  // IEEE 754: 1, −2, 65504, the smallest above 0, ∞; and the upper halves of 1 and −2.
  const half = halves('F16', 0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00)
  await writeFile(path, fileOf({ half, brain: halves('BF16', 0x3f80, 0xc000) }))
  const tensors = await readTensors(path)
  expect([...tensors.get('half')!]).toEqual([1, -2, 65504, 2 ** -24, Infinity])
  expect([...tensors.get('brain')!]).toEqual([1, -2])
})

it('a file that is cut off is named', async () => {
  const path = join(await temporaryFolder(), 'model.safetensors')
  await writeFile(path, fileOf(weights).subarray(0, -2))
  await expectError(readTensors(path), 'bad-file', /model\.safetensors/)
})
