/** Spans of searches, in the trace of whoever searches. Your SDK decides where they go. */
import { createOptimizer, type Optimizer, type Retriever } from 'querent'
import { openTelemetry } from 'querent/opentelemetry'
import { createProxy } from 'querent/proxy'

export async function createTracedOptimizer(retrievers: readonly Retriever[]): Promise<Optimizer> {
  const { observe } = await openTelemetry({ dataSource: 'articles' })
  return createOptimizer({ retrievers, observe })
}

export async function createTracedProxy(target: string) {
  const { observe, propagate } = await openTelemetry({ system: 'elasticsearch' })
  return createProxy({ target, observe, propagate })
}
