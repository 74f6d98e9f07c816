/** The proxy's metrics: there where they are asked for, and about its requests, its searches and its load. */
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { engine, proxyBefore, query } from '../../../support/proxy-before.ts'

describe('GET /_querent/metrics', () => {
  it('has what was searched and what was passed through', async () => {
    const { url } = await proxyBefore(engine, { metrics: true })
    const search = (body: string) =>
      fetch(`${url}/works/_search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).then((response) => response.text())
    await search(query)
    await search('{"query":{"match_all":{}}}')
    const read = () => fetch(`${url}/_querent/metrics`)
    expect((await read()).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    // A request counts once its connection has taken the whole answer, which may be after the caller has it.
    const both = 'querent_proxy_requests_total{status="200"} 2'
    let lines: string[] = []
    while (!lines.includes(both)) lines = (await (await read()).text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^querent_searches_total\{outcome="(un)?changed",decision="decompose",reason=".*"\} 1$/,
        ),
        'querent_searches_total{outcome="passed through",decision="none",reason="it matches all documents"} 1',
        'querent_proxy_admitted_total 1',
        'querent_proxy_shed_total 0',
        'querent_proxy_optimizing 0',
        'querent_breaker_state{backend="engine"} 0',
      ]),
    )
    expect(lines.join('\n')).not.toContain('somebody')
  })

  it.each([
    [404, 'passed through', 'passed through: the engine answered 404'],
    [503, 'failed', 'failed: the engine answered 503'],
  ])('counts what the engine answers with %d as %s', async (status, outcome, said) => {
    const refusing = { status, headers: ['content-type', 'application/json'], body: '{"error":"no"}' }
    const { url } = await proxyBefore(refusing, { metrics: true })
    const answer = await fetch(`${url}/missing/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-querent-explain': 'true' },
      body: query,
    })
    expect([answer.status, await answer.text(), answer.headers.get('x-querent')]).toEqual([
      status,
      '{"error":"no"}',
      said,
    ])
    const lines = (await (await fetch(`${url}/_querent/metrics`)).text()).split('\n')
    expect(lines.filter((line) => line.startsWith('querent_searches_total'))).toEqual([
      `querent_searches_total{outcome="${outcome}",decision="none",reason="the engine answered ${status}"} 1`,
    ])
  })

  it('is not there unless it is asked for', async () => {
    const { url } = await proxyBefore(engine)
    expect((await fetch(`${url}/_querent/metrics`)).status).toBe(404)
  })

  it('adds to the registry of its application', async () => {
    const registry = new Registry()
    const { url } = await proxyBefore(engine, { metrics: registry })
    expect((await fetch(`${url}/_querent/metrics`)).status).toBe(200)
    expect(registry.getSingleMetric('querent_searches_total')).toBeDefined()
    expect(registry.getSingleMetric('querent_proxy_shed_total')).toBeDefined()
  })
})
