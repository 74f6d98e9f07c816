/** Metrics of searches in the registry of your application, whatever the model costs. */
import { Registry } from 'prom-client'
import { createOptimizer, type Optimizer, type Retriever } from 'querent'
import { prometheus } from 'querent/prometheus'

export function createMeasuredOptimizer(
  retrievers: readonly Retriever[],
  registry: Registry = new Registry(),
): Optimizer {
  const observe = prometheus({ registry, prices: { 'gpt-5-mini': { prompt: 0.25, completion: 2 } } })
  return createOptimizer({ retrievers, observe })
}
