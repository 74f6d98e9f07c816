/** Spans of searches, as the SDK exports them: names and attributes of the conventions, one trace, and no text unless asked. */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { openTelemetry } from '../../../adapters/telemetry/opentelemetry.ts'
import { QuerentError } from '../../../src/errors.ts'
import { createOptimizer, type OptimizerOptions } from '../../../src/optimizer.ts'
import { expectError } from '../../support/expect-error.ts'
import { exportingSpans } from '../../support/exported-spans.ts'
import { engine, proxyBefore, query } from '../../support/proxy-before.ts'
import type { RecordedRequest } from '../../support/recording-server.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { found, leave, silentChat, splitting } from './left-search.ts'

const exporter = exportingSpans()
async function traced(
  options: Parameters<typeof openTelemetry>[0] = {},
  others: Partial<OptimizerOptions> = {},
) {
  const exported = exporter()
  const { observe } = await openTelemetry({ tracer: exported.tracer, ...options })
  return { ...exported, optimizer: splitting({ k: 7, observe, ...others }) }
}

const isWithin = (child: ReadableSpan, parent: ReadableSpan): boolean =>
  child.parentSpanContext?.spanId === parent.spanContext().spanId

describe('openTelemetry', () => {
  it('makes a span of a search, of its prompts and of each request', async () => {
    const { optimizer, spans, named } = await traced({ dataSource: 'works', system: 'opensearch' })
    const { trace: record } = await optimizer.search('secret words')
    const [search] = named('retrieval works')
    expect(search).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.data_source.id': 'works',
        'gen_ai.retrieval.top_k': 7,
        'querent.policy': 'acqo',
        'querent.decision': 'decompose',
        'querent.partial': false,
      },
    })
    const [chat] = named(`chat ${scriptedChat([]).name}`)
    expect(chat).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': scriptedChat([]).name,
        'gen_ai.usage.input_tokens': record.tokens.prompt,
        'gen_ai.usage.output_tokens': record.tokens.completion,
      },
    })
    const legs = { 'db.system.name': 'opensearch', 'querent.retriever': 'bm25' }
    expect(named('search')[0]!.attributes).toMatchObject({ ...legs, 'querent.round': 0 })
    expect(named('search')[0]!.attributes).not.toHaveProperty('db.operation.batch.size')
    expect(named('msearch')[0]!.attributes).toMatchObject({
      ...legs,
      'db.operation.name': 'msearch',
      'db.operation.batch.size': 2,
    })
    expect(spans()).toHaveLength(4)
    for (const span of spans()) if (span !== search) expect(isWithin(span, search!)).toBe(true)
  })

  it('keeps the text of the query and what it found to itself, unless it is asked for them', async () => {
    const silent = await traced()
    await silent.optimizer.search('secret words')
    const all = JSON.stringify(
      silent.spans().map(({ name, attributes, events }) => [name, attributes, events]),
    )
    expect(all).not.toMatch(/secret words|first part|second part|"[abcd]"/)

    const open = await traced({ text: true })
    const { hits } = await open.optimizer.search('secret words')
    const { attributes } = open.named('retrieval')[0]!
    expect(attributes['gen_ai.retrieval.query.text']).toBe('secret words')
    expect(JSON.parse(String(attributes['gen_ai.retrieval.documents']))).toEqual(
      hits.map(({ docid, score }) => ({ id: docid, score })),
    )
  })

  it('leaves requests to the client that traces them itself', async () => {
    const { optimizer, spans } = await traced({ requests: false, system: 'elasticsearch' })
    await optimizer.search('secret words')
    expect(spans().map(({ name }) => name.split(' ')[0])).toEqual(['chat', 'retrieval'])
  })

  it('runs each search in its own span, below the one of its caller', async () => {
    const exported = exporter()
    const inside: (string | undefined)[] = []
    const retriever = scriptedRetriever({ found })
    const { observe } = await openTelemetry({ tracer: exported.tracer })
    const { search } = createOptimizer({
      retrievers: [
        {
          name: 'noting',
          retrieve(subQueries, options) {
            inside.push(trace.getActiveSpan()?.spanContext().spanId)
            return retriever.retrieve(subQueries, options)
          },
        },
      ],
      observe,
    })
    const caller = exported.tracer.startSpan('caller')
    await context.with(trace.setSpan(context.active(), caller), () =>
      Promise.all([search('secret words'), search('first part')]),
    )
    const searches = exported.named('retrieval')
    expect(inside.toSorted()).toEqual(searches.map((span) => span.spanContext().spanId).toSorted())
    for (const span of searches) expect(isWithin(span, caller as unknown as ReadableSpan)).toBe(true)
  })

  it('marks what failed, and what the search fell back from', async () => {
    const down = Object.assign(new Error('secret words are down'), { code: 'ECONNREFUSED' })
    const failed = await traced({}, { retrievers: [scriptedRetriever({ name: 'bm25', fails: down })] })
    await expect(failed.optimizer.search('secret words')).rejects.toThrow('down')
    const [search] = failed.named('retrieval')
    expect(search).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'ECONNREFUSED' },
    })
    expect(JSON.stringify(failed.spans().map(({ attributes }) => attributes))).not.toContain('secret')

    const fallen = await traced({}, { chat: scriptedChat(['nonsense.', 'nonsense.']) })
    const { trace: record } = await fallen.optimizer.search('secret words')
    expect(fallen.named('retrieval')[0]).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'querent.fallback': record.fallback!.code, 'querent.decision': 'as-is' },
    })
    expect(fallen.spans().find(({ name }) => name.startsWith('chat'))!.status.code).toBe(SpanStatusCode.ERROR)
  })

  it('marks no failure in a search whose caller left, nor in its prompt', async () => {
    const { optimizer, spans, named } = await traced({}, { chat: silentChat })
    await leave(optimizer, new QuerentError('aborted', 'The client has gone'))
    await leave(optimizer)
    expect(named('retrieval')).toHaveLength(2)
    for (const span of [...named('retrieval'), named('chat silent')[0]!]) {
      expect(span.status.code).toBe(SpanStatusCode.UNSET)
      expect(span.attributes['querent.aborted']).toBe(true)
      expect(span.attributes).not.toHaveProperty('error.type')
    }
    expect(spans().filter(({ name }) => name === 'chat silent')).toHaveLength(2)
  })

  it('rejects wrong options', async () => {
    await expectError(openTelemetry({ system: '' }), 'bad-config')
    await expectError(openTelemetry({ tracer: {} as never }), 'bad-config', 'a tracer')
  })
})

describe('the proxy', () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const ask = (url: string) =>
    fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${spanId}-01` },
      body: query,
    })
  const parents = (requests: readonly RecordedRequest[]): string[] =>
    requests.map(({ headers }) => {
      const places = headers.flatMap((name, place) =>
        place % 2 === 0 && name.toLowerCase() === 'traceparent' ? [place] : [],
      )
      expect(places).toHaveLength(1)
      return headers[places[0]! + 1]!
    })

  it('goes on with the trace of its caller', async () => {
    const { tracer, named } = exporter()
    const { observe, propagate } = await openTelemetry({ tracer, system: 'opensearch' })
    const { url, upstream } = await proxyBefore(engine, { observe, propagate })
    expect((await ask(url)).status).toBe(200)
    const [search] = named('retrieval')
    expect(search!.spanContext().traceId).toBe(traceId)
    expect(search!.parentSpanContext?.spanId).toBe(spanId)
    expect(search!.attributes['gen_ai.retrieval.top_k']).toBe(10)
    const own = `00-${traceId}-${search!.spanContext().spanId}-01`
    expect(upstream.requests.length).toBeGreaterThan(1)
    expect(new Set(parents(upstream.requests))).toEqual(new Set([own]))
  })

  it('passes the header on as it came without that', async () => {
    const { url, upstream } = await proxyBefore(engine)
    await ask(url)
    expect(new Set(parents(upstream.requests))).toEqual(new Set([`00-${traceId}-${spanId}-01`]))
  })
})
