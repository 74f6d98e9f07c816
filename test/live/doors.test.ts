/** What a page in a real browser gets from the servers of this machine, under its own name and under theirs. */
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findBrowser } from '../support/browser.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { useBrowser } from '../support/page-browser.ts'
import { asked, type Doors, startedDoors } from '../support/started-doors.ts'

const executablePath = await findBrowser()
const names = Object.keys(asked) as readonly (keyof Doors['urls'])[]

/** The port of a page of somebody else. */
async function startedPage(): Promise<string> {
  const { server, url } = await startLoopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>')
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(url).port
}

/** Sends everything that can be asked for from this page, in each way that it can. What it could read, by what it asked. */
async function readFrom(page: Page, urls: Doors['urls']): Promise<Readonly<Record<string, string>>> {
  const all: Record<string, string> = {}
  for (const name of names) {
    for (const [method, path, body] of asked[name]) {
      const types = body === undefined ? [undefined] : ['application/json', 'text/plain']
      for (const mode of ['cors', 'no-cors'] as const) {
        for (const type of types) {
          const headers = {
            accept: 'application/json, text/event-stream',
            ...(type && { 'content-type': type }),
          }
          const read = await page.evaluate(
            ([url, init]) =>
              fetch(url, init).then(
                async (response) => (response.ok ? response.text() : ''),
                () => '',
              ),
            [
              `${urls[name]}${path}`,
              { method, mode, headers, body: body ?? null } satisfies RequestInit,
            ] as const,
          )
          if (read !== '') all[`${name} ${method} ${path}`] = read
        }
      }
    }
  }
  return all
}

/** The searches that were made, by the servers that count them. */
async function searched({ urls, engine }: Doors) {
  const served = await (await fetch(`${urls.serve}/metrics`)).text()
  const rewarded = await (await fetch(`${urls['reward-server']}/metrics`)).text()
  return {
    engine: engine.requests.length,
    serve: served.match(/^querent_searches_total\b.* [1-9]/m)?.[0],
    reward: rewarded.match(/^querent_requests_total\{.*retrieve.*/m)?.[0],
  }
}
const nothing = { engine: 0, serve: undefined, reward: undefined }

describe.skipIf(executablePath === undefined)('a page', () => {
  const open = useBrowser(executablePath!, ['--host-resolver-rules=MAP *.example 127.0.0.1'])

  it.each(['evil.example', '127.0.0.1', 'localhost'])(
    'of %s reads nothing of servers of this machine, and nothing comes of what it sends',
    async (host) => {
      const doors = await startedDoors()
      const { page } = await open(`http://${host}:${await startedPage()}/`)
      expect(await readFrom(page, doors.urls)).toEqual({})
      const parts = [`${doors.urls.proxy}/customers/_search`, `${doors.urls.serve}/search`].map(
        (url, at) => `<iframe name=f${at} src="${url}?q=desert"></iframe><img src="${url}?q=desert">
          <form method=post target=f${at} action="${url}"></form>`,
      )
      await page.setContent(parts.join(''), { waitUntil: 'load' })
      await page.evaluate('for (const form of document.forms) form.submit()')
      await page.waitForLoadState('networkidle')
      expect(await searched(doors)).toEqual(nothing)
      for (const name of names)
        for (const [method, path, body] of asked[name])
          await fetch(`${doors.urls[name]}${path}`, {
            method,
            body: body ?? null,
            headers: { 'content-type': 'application/json' },
          })
      const all = { engine: 3, serve: expect.anything(), reward: expect.anything() }
      expect(await searched(doors)).toEqual(all)
    },
  )

  it('that has made its name one of this machine reads nothing either', async () => {
    const doors = await startedDoors()
    for (const name of names) {
      const { port } = new URL(doors.urls[name])
      const rebound = `http://evil.example:${port}`
      const { page } = await open(`${rebound}/`)
      const urls = { ...doors.urls, [name]: rebound }
      expect(await readFrom(page, urls)).toEqual({})
    }
    expect(await searched(doors)).toEqual(nothing)
  })

  it('that is allowed reads what every program gets, but for rewards', async () => {
    const origin = `http://shop.example:${await startedPage()}`
    const doors = await startedDoors([], origin)
    const { page } = await open(`${origin}/`)
    const read = await readFrom(page, doors.urls)
    const expected = names
      .filter((name) => name !== 'reward-server')
      .flatMap((name) => asked[name].map(([method, path]) => `${name} ${method} ${path}`))
    // The proxy itself lets no page read what it says of itself.
    expect(Object.keys(read)).toEqual(expected.filter((name) => !name.includes('_querent')))
    expect(read['proxy GET /customers/_search?q=desert']).toContain('secret')
    const { page: other } = await open(`http://evil.example:${new URL(origin).port}/`)
    doors.engine.clear()
    expect(await readFrom(other, doors.urls)).toEqual({})
    expect(doors.engine.requests).toEqual([])
  })
})
