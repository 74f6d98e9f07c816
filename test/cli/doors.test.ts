/** Everything that listens refuses what the page of somebody else can send, and nothing that a program sends. */
import { once } from 'node:events'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { asked, type Doors, startedDoors } from '../support/started-doors.ts'

const names = Object.keys(asked) as readonly (keyof Doors['urls'])[]

/** Sends these headers as they are, `host` and those that a program may not set in `fetch`. */
async function answered(url: string, method: string, headers: OutgoingHttpHeaders, body = '') {
  const sent = request(url, { method, headers, agent: false }).end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

/** The status of each thing that can be asked for. */
async function statuses({ urls }: Doors, headersFor: (host: string) => OutgoingHttpHeaders) {
  const all: Record<string, number> = {}
  for (const name of names) {
    for (const [method, path, body] of asked[name]) {
      const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const headers = { ...(body !== undefined && type), ...headersFor(new URL(urls[name]).host) }
      const { statusCode, headers: given } = await answered(`${urls[name]}${path}`, method, headers, body)
      all[`${name} ${method} ${path}`] = statusCode!
      // The engine's answers are its own.
      const isOwn = name !== 'proxy' || path.startsWith('/_querent/') || statusCode !== 200
      if (isOwn) expect([path, given['x-content-type-options']]).toEqual([path, 'nosniff'])
    }
  }
  return all
}

/** Which answers were of this status. */
const of = (all: Readonly<Record<string, number>>, status: number) =>
  Object.keys(all).filter((name) => all[name] === status)
const everything = names.flatMap((name) => asked[name].map(([method, path]) => `${name} ${method} ${path}`))

describe('on this machine', () => {
  it('is reached by programs under its names, and by its own pages', async () => {
    const doors = await startedDoors()
    for (const headersFor of [
      () => ({}),
      (host: string) => ({ host: host.replace('127.0.0.1', 'localhost') }),
      (host: string) => ({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }),
      (host: string) => ({ origin: `https://${host}` }),
      () => ({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }),
    ])
      expect(of(await statuses(doors, headersFor), 200)).toEqual(everything)
  })

  it('is not reached under other names, or by other pages', async () => {
    const doors = await startedDoors()
    for (const headers of [
      { host: 'rebound.example' },
      { host: 'rebound.example:80', origin: 'http://rebound.example', 'sec-fetch-site': 'same-origin' },
      { host: '0.0.0.0' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
    ])
      expect(of(await statuses(doors, () => headers), 403)).toEqual(everything)
    expect(doors.engine.requests).toEqual([])
  })

  it('is reached under names and by pages that are allowed', async () => {
    const doors = await startedDoors(['--set', 'hosts=search.example'], 'https://shop.example')
    expect(of(await statuses(doors, () => ({ host: 'search.example:8080' })), 200)).toEqual(everything)
    const allowed = { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' }
    const reward = everything.filter((name) => name.startsWith('reward-server'))
    const found = await statuses(doors, () => allowed)
    expect([of(found, 200), of(found, 403)]).toEqual([
      everything.filter((name) => !reward.includes(name)),
      reward,
    ])
    const other = { origin: 'https://shop.example.evil.example' }
    expect(of(await statuses(doors, () => other), 403)).toEqual(everything)
  })
})

it('where other machines reach it, every name leads there until some are given, and pages of others never', async () => {
  const open = await startedDoors(['--host', '0.0.0.0'])
  // The page is off without a token.
  const all = everything.filter((name) => name !== 'serve POST /')
  for (const host of ['elasticsearch:9200', 'search.example', '192.0.2.7'])
    expect(of(await statuses(open, () => ({ host })), 200)).toEqual(all)
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    expect(of(await statuses(open, () => headers), 403)).toEqual(everything)
  const named = await startedDoors(['--host', '0.0.0.0', '--set', 'hosts=search.example'])
  for (const host of ['search.example', 'elasticsearch:9200', '192.0.2.7', 'localhost'])
    expect(of(await statuses(named, () => ({ host })), 200)).toEqual(all)
  expect(of(await statuses(named, () => ({ host: 'other.example' })), 403)).toEqual(everything)
})

it('a link of another site opens the page of serve, and nothing else', async () => {
  const { urls } = await startedDoors()
  const opened = async (url: string, into = 'document') => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': into }
    return (await answered(url, 'GET', { accept: 'text/html', ...link })).statusCode
  }
  expect(await opened(`${urls.serve}/?q=desert`)).toBe(200)
  expect(await opened(`${urls.serve}/search?q=desert`)).toBe(403)
  expect(await opened(urls.serve, 'iframe')).toBe(403)
  expect(await opened(urls.proxy)).toBe(403)
})
