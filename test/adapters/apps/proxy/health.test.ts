/** The paths of the proxy itself: with whatever a probe adds to them, and named where one is wrong. */
import { expect, it } from 'vitest'
import { proxyBefore } from '../../../support/proxy-before.ts'

const engine = { headers: ['content-type', 'application/json'], body: '{}' }

it.each(['health', 'ready', 'load', 'metrics'])('/_querent/%s may have parameters', async (name) => {
  const { url } = await proxyBefore(engine, { metrics: true })
  for (const more of ['', '?', '?x=1', '?x=1?y=/a']) {
    const response = await fetch(`${url}/_querent/${name}${more}`)
    await response.text()
    expect([more, response.status]).toEqual([more, 200])
  }
})

it.each([
  [{}, '/_querent/health, /_querent/ready and /_querent/load'],
  [{ metrics: true }, '/_querent/health, /_querent/ready, /_querent/load and /_querent/metrics'],
  [
    { metrics: true, inspect: true },
    '/_querent/health, /_querent/ready, /_querent/load, /_querent/metrics and /_querent/inspect',
  ],
])('another path is told those that there are with %j', async (options, paths) => {
  const { url, upstream } = await proxyBefore(engine, options)
  const response = await fetch(`${url}/_querent/healthz`)
  expect([response.status, await response.json()]).toEqual([404, { status: `there are ${paths}` }])
  expect(upstream.requests).toEqual([])
})
