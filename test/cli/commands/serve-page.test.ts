/** The page of `querent serve`. */
import { expect, it } from 'vitest'
import type { SearchAnswer } from '../../../adapters/apps/http/fetch.ts'
import { posted } from '../../adapters/apps/http/http-server.ts'
import { startedServe } from '../../support/started-serve.ts'

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const token = 'correct-horse-battery'

it('is at / for everybody, searches with the policy or without it, and says where it is', async () => {
  const { url, end } = await startedServe()
  const page = await fetch(`${url}/`, browser)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('"others":["none"]')
  expect(await (await fetch(`${url}/`)).text()).toContain('"others":["none"]')
  expect((await fetch(`${url}/other`, browser)).status).toBe(404)
  // A re-ranked search may find further documents, behind the first.
  for (const [path, policy, found] of [
    ['/', 'local', ['dune', 'herbert']],
    ['/?system=none', 'none', ['dune']],
  ] as const) {
    const response = await fetch(`${url}${path}`, posted({ text: 'desert planet', explain: true }))
    const { hits, trace } = (await response.json()) as SearchAnswer
    expect(hits.map(({ docid }) => docid)).toEqual(found)
    expect(hits[0]).toMatchObject({ document: { title: 'Dune' } })
    expect(trace).toMatchObject({ policy })
  }
  expect((await end()).errors).toContain(`open ${url}/`)
})

it('has nothing beside the policy none, and an index that was replaced is searched by both', async () => {
  const plain = await startedServe('--policy', 'none')
  expect(await (await fetch(`${plain.url}/`, browser)).text()).toContain('"others":[]')
  await plain.end()
  const { url, reindex, clock, until, end } = await startedServe()
  await reindex([{ _id: 'solaris', title: 'Solaris', text: 'A novel of an ocean that thinks.' }])
  clock.advance(1000)
  await until('searches now cover 1 document.')
  for (const path of ['/', '/?system=none']) {
    const response = await fetch(`${url}${path}`, posted({ text: 'ocean' }))
    expect(await response.json()).toMatchObject({ hits: [{ docid: 'solaris' }] })
  }
  await end()
})

it('is off where other machines can reach it, and needs the token where there is one', async () => {
  const off = await startedServe('--policy', 'none', '--host', '0.0.0.0')
  const local = off.url.replace('0.0.0.0', '127.0.0.1')
  expect(await (await fetch(`${local}/`, browser)).text()).toContain('/search?q=')
  expect((await off.end()).errors).toContain('The page at / is off')

  const on = await startedServe(
    '--policy',
    'none',
    '--host',
    '0.0.0.0',
    '--set',
    `pageToken=${token}`,
    '--set',
    'accessLog=true',
    '--set',
    'logText=true',
  )
  const guarded = on.url.replace('0.0.0.0', '127.0.0.1')
  expect((await fetch(`${guarded}/`, browser)).status).toBe(403)
  expect((await fetch(`${guarded}/`, posted({ text: 'novel' }))).status).toBe(403)
  const entered = await fetch(`${guarded}/?token=${token}`, { ...browser, redirect: 'manual' })
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
  expect((await fetch(`${guarded}/`, { headers: { ...browser.headers, cookie } })).status).toBe(200)
  // The endpoint itself stays as it is.
  expect((await fetch(`${guarded}/search?q=novel`)).status).toBe(200)
  const { errors, output } = await on.end()
  expect(output).toContain('token=hidden')
  expect(`${errors}${output}`).not.toContain(token)
})
