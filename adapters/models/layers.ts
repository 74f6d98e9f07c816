/** The layers that Sentence Transformers puts behind pooling, in the folders that `modules.json` names. */
import { join } from 'node:path'
import { z } from 'zod'
import { count } from '../../src/config.ts'
import { QuerentError } from '../../src/errors.ts'
import { sigmoid } from '../../src/sigmoid.ts'
import { readModelFile } from './model-file.ts'
import { readTensors, type Tensors } from './safetensors.ts'
import { unitVector } from './unit-vector.ts'

export type Layer = (vector: Float64Array) => Float64Array

const denseFile = z.object({
  in_features: count,
  out_features: count,
  bias: z.boolean().default(true),
  activation_function: z.string().default('torch.nn.modules.activation.Tanh'),
  use_residual: z.literal(false).optional(),
})

const normFile = z.object({ dimension: count })

/** By the names of PyTorch's classes. */
const activations: Readonly<Record<string, (value: number) => number>> = {
  Identity: (value) => value,
  Tanh: Math.tanh,
  ReLU: (value) => Math.max(0, value),
  Sigmoid: sigmoid,
  SiLU: (value) => value * sigmoid(value),
  GELU: (value) => (value * (1 + erf(value / Math.SQRT2))) / 2,
}

/** @throws QuerentError `bad-file` if a file is missing or damaged, or the layer does something that Querent cannot run */
export async function readLayer(type: string, folder: string): Promise<Layer> {
  if (type === 'Normalize') return (vector) => Float64Array.from(unitVector(vector))
  const [config, weights] = [join(folder, 'config.json'), join(folder, 'model.safetensors')]
  return type === 'LayerNorm' ? readNorm(config, weights) : readDense(config, weights)
}

async function readDense(config: string, weights: string): Promise<Layer> {
  const { in_features: inputs, out_features: outputs, bias, ...rest } = await readModelFile(config, denseFile)
  const name = rest.activation_function.split('.').at(-1)!
  if (!Object.hasOwn(activations, name)) {
    throw new QuerentError('bad-file', `${config} has the activation ${rest.activation_function}`, {
      remedy: `Choose a model with one of ${Object.keys(activations).join(', ')}.`,
    })
  }
  const activation = activations[name]!
  const tensors = await readTensors(weights)
  const matrix = tensorOf(tensors, 'linear.weight', inputs * outputs, weights)
  const first = bias ? tensorOf(tensors, 'linear.bias', outputs, weights) : new Float32Array(outputs)
  return (vector) =>
    Float64Array.from(first, (start, row) => {
      let sum = start
      for (let at = 0; at < inputs; at++) sum += matrix[row * inputs + at]! * vector[at]!
      return activation(sum)
    })
}

/** PyTorch's LayerNorm, with its default ε. */
async function readNorm(config: string, weights: string): Promise<Layer> {
  const { dimension } = await readModelFile(config, normFile)
  const tensors = await readTensors(weights)
  const scale = tensorOf(tensors, 'norm.weight', dimension, weights)
  const shift = tensorOf(tensors, 'norm.bias', dimension, weights)
  return (vector) => {
    const middle = mean(vector)
    const deviation = Math.sqrt(mean(vector.map((value) => (value - middle) ** 2)) + 1e-5)
    return vector.map((value, at) => ((value - middle) / deviation) * scale[at]! + shift[at]!)
  }
}

function tensorOf(tensors: Tensors, name: string, length: number, path: string): Float32Array {
  const found = tensors.get(name)
  if (found?.length === length) return found
  throw new QuerentError('bad-file', `${path} has no ${name} of ${length} numbers`, {
    remedy: 'Fetch the model again.',
  })
}

const mean = (vector: Float64Array): number => vector.reduce((sum, value) => sum + value, 0) / vector.length

/** The error function, within 1.5e-7. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26. */
function erf(value: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(value))
  const terms = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
  const sum = terms.reduce((found, factor) => (found + factor) * t, 0)
  return Math.sign(value) * (1 - sum * Math.exp(-(value ** 2)))
}
