/**
 * Traces of OpenTelemetry: an observer that makes spans of searches, and the propagation of a caller's trace through the proxy.
 * Spans are made of the steps that a search records anyway. Without an SDK, `@opentelemetry/api` does nothing.
 *
 * @module querent/opentelemetry
 */

import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { z } from 'zod'
import { having, parseConfig } from '../../src/config.ts'
import type { ObservedSearch, Observer } from '../../src/observe.ts'
import type { Propagation } from '../../src/propagation.ts'
import { groupBy } from '../../src/runtime/group-by.ts'
import { optionalPackage } from '../../src/runtime/optional-package.ts'
import type { LegTrace, Step } from '../../src/types.ts'
import {
  promptAttributes,
  requestAttributes,
  rerankAttributes,
  searchEnds,
  searchStarts,
} from './attributes.ts'

export interface OpenTelemetryOptions {
  /** Makes the spans. Default: the tracer `querent` of the SDK that is registered in the process. */
  readonly tracer?: Tracer | undefined
  /** The name of what is searched: `gen_ai.data_source.id`, and part of the span's name. Default: none. */
  readonly dataSource?: string | undefined
  /** Who serves the chat model: `gen_ai.provider.name`. Default: `openai`, whose protocol is spoken. */
  readonly provider?: string | undefined
  /** The database behind the retrievers, `db.system.name`: `elasticsearch`, `opensearch`. Default: none, they are in the process. */
  readonly system?: string | undefined
  /**
   * Whether requests to retrievers get a span. `false` where the client makes spans of its own, as the one of Elasticsearch does:
   * these then lie in the span of the search. Default: true.
   */
  readonly requests?: boolean | undefined
  /** Whether spans hold the query and the docids and scores that it found. Default: false. */
  readonly text?: boolean | undefined
}

export interface OpenTelemetry {
  /** For `observe` of an optimizer, a search, a wrapped client or a proxy. */
  readonly observe: Observer
  /** For `propagate` of a proxy. */
  readonly propagate: Propagation
}

/** A search while it runs. */
interface Traced {
  readonly span: Span
  readonly context: Context
  /** When the search began, in milliseconds since 1970: steps count from here. */
  start: number
}

const optionsSchema = z.strictObject({
  tracer: having<Tracer>('a tracer', 'startSpan').optional(),
  dataSource: z.string().min(1).optional(),
  provider: z.string().min(1).default('openai'),
  system: z.string().min(1).optional(),
  requests: z.boolean().default(true),
  text: z.boolean().default(false),
})

/** @throws QuerentError `bad-config` that names the wrong option; `missing-package` for `@opentelemetry/api` */
export async function openTelemetry(options: OpenTelemetryOptions = {}): Promise<OpenTelemetry> {
  const settings = parseConfig(optionsSchema, options, 'openTelemetry')
  const api = await optionalPackage('@opentelemetry/api', undefined, () => import('@opentelemetry/api'))
  const { context, propagation, trace, SpanKind, SpanStatusCode } = api
  const { tracer = trace.getTracer('querent'), dataSource, provider, system, requests, text } = settings
  const searches = new WeakMap<ObservedSearch, Traced>()

  /** A span of what has already ended: observers learn what a step came to at its end. */
  function child(
    { context: parent, start }: Traced,
    name: string,
    { startMs, ms }: { readonly startMs: number; readonly ms: number },
    { kind = SpanKind.CLIENT, attributes = {} }: SpanOptions,
  ): void {
    const span = tracer.startSpan(name, { kind, attributes, startTime: start + startMs }, parent)
    endSpan(span, attributes, start + startMs + ms)
  }

  function endSpan(span: Span, attributes: Attributes, time?: number): void {
    if (attributes['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(time)
  }

  function requestsOf(traced: Traced, step: Extract<Step, { readonly type: 'retrieve' }>): void {
    const kind = system === undefined ? SpanKind.INTERNAL : SpanKind.CLIENT
    for (const legs of byRetriever(step.legs)) {
      const attributes = requestAttributes(legs, step.round, system)
      const name = String(attributes['db.operation.name'] ?? `search ${legs[0]!.retriever}`)
      const ms = Math.max(...legs.map((leg) => leg.ms))
      child(traced, name, { startMs: step.startMs, ms }, { kind, attributes })
    }
  }

  const observe: Observer = {
    around({ search }, run) {
      const name = dataSource === undefined ? 'retrieval' : `retrieval ${dataSource}`
      const attributes = searchStarts(search, dataSource, text)
      const start = Date.now()
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: start })
      const inside = trace.setSpan(context.active(), span)
      searches.set(search, { span, context: inside, start })
      context.with(inside, run)
    },
    onSearchStart({ search }) {
      const traced = searches.get(search)
      if (traced !== undefined) traced.start = Date.now()
    },
    onStep({ search, step }) {
      const traced = searches.get(search)
      if (traced === undefined || !traced.span.isRecording()) return
      if (step.type === 'retrieve' && requests) requestsOf(traced, step)
      else if (step.type === 'ask')
        child(traced, `chat ${step.model}`, step, { attributes: promptAttributes(step, provider) })
      else if (step.type === 'rerank')
        child(traced, 'rerank', step, { kind: SpanKind.INTERNAL, attributes: rerankAttributes(step) })
    },
    onSearch(report) {
      const traced = report.search && searches.get(report.search)
      if (traced === undefined) return
      const { span } = traced
      if (!span.isRecording()) return span.end()
      const attributes = searchEnds(report, text)
      span.setAttributes(attributes)
      endSpan(span, attributes)
    },
  }

  const propagate: Propagation = {
    receive(headers, run) {
      // An instrumentation of Node's server has read the headers already.
      const isActive = trace.getActiveSpan() !== undefined
      return isActive ? run() : context.with(propagation.extract(context.active(), headers), run)
    },
    send() {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
  }
  return { observe, propagate }
}

/** The legs of each retriever, which answered them in one request. */
const byRetriever = (legs: readonly LegTrace[]): LegTrace[][] => [
  ...groupBy(legs, ({ retriever }) => retriever).values(),
]
