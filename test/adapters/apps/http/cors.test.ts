import { expect, it } from 'vitest'
import { withCors } from '../../../../adapters/apps/http/cors.ts'

const handle = withCors(async () => Response.json({ hits: [] }), ['https://shop.example'])
const asked = (handler: typeof handle, headers: Record<string, string>, method = 'GET') =>
  handler(new Request('http://127.0.0.1/search', { method, headers }))

it('names an allowed origin, and keeps caches from giving its answer to others', async () => {
  const { headers } = await asked(handle, { origin: 'https://shop.example' })
  expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
    'https://shop.example',
    'Origin',
  ])
})

it.each(['https://evil.example', 'https://shop.example.evil', 'http://shop.example', 'null'])(
  'does not name %s',
  async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const response = await asked(handle, { origin, 'access-control-request-method': 'POST' }, method)
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  },
)

it('answers a preflight itself', async () => {
  const response = await asked(
    handle,
    {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
    'OPTIONS',
  )
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([
    204,
    {
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  ])
})

it('allows every origin for *, and leaves other OPTIONS to the handler', async () => {
  const open = withCors(async () => new Response(null, { status: 405 }), ['*'])
  const response = await asked(open, { origin: 'https://any.example' }, 'OPTIONS')
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([405, '*'])
})
