/**
 * The optimizer Adam (Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1): β₁ .9, β₂ .999,
 * ε 1e-8.
 */

export interface Adam {
  /** Takes one step against the gradient, changing `parameters` in place. */
  step(parameters: Float64Array, gradient: Float64Array, learningRate: number): void
}

export function createAdam(size: number): Adam {
  const [beta1, beta2, epsilon] = [0.9, 0.999, 1e-8]
  const first = new Float64Array(size)
  const second = new Float64Array(size)
  let steps = 0

  return {
    step(parameters, gradient, learningRate) {
      steps++
      const unbias1 = 1 / (1 - beta1 ** steps)
      const unbias2 = 1 / (1 - beta2 ** steps)
      for (let index = 0; index < size; index++) {
        const g = gradient[index]!
        const mean = beta1 * first[index]! + (1 - beta1) * g
        const square = beta2 * second[index]! + (1 - beta2) * g * g
        first[index] = mean
        second[index] = square
        parameters[index]! -= (learningRate * mean * unbias1) / (Math.sqrt(square * unbias2) + epsilon)
      }
    },
  }
}
