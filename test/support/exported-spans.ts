/** Spans as OpenTelemetry's own SDK exports them, within one test file. */
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll } from 'vitest'

/** Registers contexts and propagation for the file, and takes them back after it. Each call of the result is a new exporter. */
export function exportingSpans() {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  })
  afterAll(() => {
    context.disable()
    propagation.disable()
  })
  return () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
    return {
      tracer: provider.getTracer('test'),
      spans,
      named: (name: string) => spans().filter((span) => span.name === name),
    }
  }
}
