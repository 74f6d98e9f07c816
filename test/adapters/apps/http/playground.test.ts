/** The page's server: who gets it, what it may do, and whose searches it makes. */
import { describe, expect, it } from 'vitest'
import { type PlaygroundHandlerOptions, playgroundHandler } from '../../../../adapters/apps/http/fetch.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { expectError } from '../../../support/expect-error.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { posted } from './http-server.ts'

const finding = (docid: string) =>
  createOptimizer({ retrievers: [scriptedRetriever({ found: { who: [docid] } })] })
const token = 'correct-horse-battery'

/** Sends requests to a handler on a local name. */
function sender(options: Partial<PlaygroundHandlerOptions> = {}) {
  const handle = playgroundHandler({ optimizer: finding('a'), ...options })
  return (path = '/playground', init: RequestInit = {}, origin = 'http://localhost') =>
    handle(new Request(`${origin}${path}`, init))
}

const searching = (body: unknown = { text: 'who' }) => posted(body)

describe('the page', () => {
  it('is one file with a policy that lets only its own script run', async () => {
    const response = await sender()()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    const page = await response.text()
    expect(page.length).toBeLessThan(150_000)
    // Nothing is loaded: the only addresses are data and names of XML's own.
    const addresses = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses).toEqual([expect.stringMatching(/^data:image/)])
  })

  it('has no body for HEAD', async () => {
    const response = await sender()('/playground', { method: 'HEAD' })
    expect([response.status, response.body]).toEqual([200, null])
  })

  it('names the other optimizers, whatever their names are', async () => {
    const name = '</script><script>alert(1)</script>'
    const page = await (await sender({ others: { [name]: finding('b') } })()).text()
    expect(page).not.toContain('alert(1)</script>')
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(page)![1]!
    expect(JSON.parse(data)).toEqual({ kind: 'searching', others: [name] })
  })
})

describe('its searches', () => {
  const found = async (response: Response) => {
    const { hits } = (await response.json()) as { hits: { docid: string }[] }
    return hits.map(({ docid }) => docid)
  }

  it('are those of the first optimizer, or of the one that is named', async () => {
    const send = sender({ others: { other: finding('b') } })
    expect(await found(await send('/playground', searching()))).toEqual(['a'])
    expect(await found(await send('/playground?system=other', searching()))).toEqual(['b'])
    const refused = await send('/playground?system=third', searching())
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors: [{ parameter: 'system' }] }])
  })

  it('stream their stages, with the best hits of each leg', async () => {
    const response = await sender()('/playground?stream=1', searching({ text: 'who', explain: true }))
    const lines = (await response.text()).trim().split('\n')
    const leg = lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'leg')
    expect(leg).toMatchObject({ round: 0, hits: 1, found: [{ docid: 'a' }] })
  })

  it('take a filter only where the application says so', async () => {
    const body = searching({ text: 'who', filter: {} })
    expect((await sender()('/playground', body)).status).toBe(400)
  })
})

describe('who may see it', () => {
  it.each([
    ['http://localhost:8178', 200],
    ['http://127.0.0.1', 200],
    ['http://[::1]:80', 200],
    ['http://example.org', 403],
    ['http://localhost.example.org', 403],
    ['http://127.0.0.1.example.org', 403],
  ])('who comes by the name %s gets %d', async (origin, status) => {
    const send = sender()
    expect((await send('/playground', {}, origin)).status).toBe(status)
    expect((await send('/playground', searching(), origin)).status).toBe(status)
  })

  it('the header counts where there is one, not the address', async () => {
    const headers = { host: 'example.org:80' }
    expect((await sender()('/playground', { headers })).status).toBe(403)
    expect((await sender({ hosts: ['example.org'] })('/playground', { headers })).status).toBe(200)
    expect((await sender({ hosts: false })('/playground', { headers })).status).toBe(200)
  })

  it('with a token, who has it: first in the address, then in a cookie that scripts cannot read', async () => {
    const send = sender({ token })
    for (const address of ['/playground', '/playground?token=wrong', `/playground?token=${token}x`])
      expect((await send(address)).status, address).toBe(403)
    expect((await send('/playground', searching())).status).toBe(403)
    expect((await send(`/playground?token=${token}`, searching())).status).toBe(403)

    const entered = await send(`/playground?token=${token}&q=who`)
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/playground?q=who'])
    const kept = entered.headers.get('set-cookie')!
    expect(kept).toBe(`querent-page=${token}; Path=/playground; HttpOnly; SameSite=Strict`)

    const cookie = `other=1; ${kept.split(';')[0]}`
    expect((await send('/playground', { headers: { cookie } })).status).toBe(200)
    const { headers, ...rest } = searching()
    expect((await send('/playground', { ...rest, headers: { ...headers, cookie } })).status).toBe(200)
    expect((await send('/playground', { headers: { cookie: `${cookie}x` } })).status).toBe(403)
  })
})

it.each([
  [{ token: 'short' }, 'token: must have 16 characters or more'],
  [{ hosts: [] }, 'hosts'],
  [{ others: { one: {} } }, 'others'],
  [{ explain: false }, 'explain'],
  [{ path: 'page' }, 'path: must begin with a slash'],
])('says which option is wrong: %j', (options, named) => {
  expectError(() => sender(options as never), 'bad-config', named)
})
