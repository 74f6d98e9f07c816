/** Failures of a cluster on the command line, with the clients' own errors. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engineError } from '../../../src/cli/open/engine-error.ts'
import { startLoopbackServer } from '../../support/loopback-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const kinds = ['elasticsearch', 'opensearch'] as const
const names = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' }

/** What each engine says of itself. */
const banners = {
  elasticsearch: { version: { number: '9.1.0', build_flavor: 'default' }, tagline: 'You Know, for Search' },
  opensearch: { version: { number: '3.1.0', distribution: 'opensearch' } },
}

interface Answer {
  readonly status: number
  readonly body: object
}

/** An engine of that kind that answers `GET /` with its banner, and everything else with `answer`. */
async function engine(kind: keyof typeof banners, answer: Answer, banner: Answer = ok(banners[kind])) {
  const requests: string[] = []
  const { server, url } = await startLoopbackServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const { status, body } = request.url === '/' ? banner : answer
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(kind === 'elasticsearch' && { 'x-elastic-product': 'Elasticsearch' }),
    })
    response.end(JSON.stringify(body))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url, requests }
}

const ok = (body: object): Answer => ({ status: 200, body })
const refused = (status: number): Answer => ({
  status,
  body: { error: { type: 'security_exception', reason: 'no permissions for [x]' }, status },
})

const index = (kind: string, url: string) =>
  runToEnd(['index', '-', '--engine', kind, '--url', url, '--name', 'articles'], {
    stdin: '{"_id": 1, "text": "a"}',
  })

describe.each(kinds)('querent index --engine %s', (kind) => {
  const other = kind === 'elasticsearch' ? 'opensearch' : 'elasticsearch'

  it('says which engine answers, before it writes anything', async () => {
    const { url, requests } = await engine(other, ok({}))
    const { status, errors } = await index(kind, url)
    expect(status).toBe(2)
    expect(errors).toContain(`--engine ${other}.`)
    expect(errors).toMatch(
      kind === 'elasticsearch'
        ? /The server at http:\S+ is not Elasticsearch\. If it is OpenSearch/
        : /Elasticsearch answers at http:\S+, not OpenSearch/,
    )
    expect(requests).toEqual(['GET /'])
  })

  it('names the variables of credentials if they are missing or not accepted', async () => {
    const { url } = await engine(kind, refused(401), refused(401))
    const { status, errors } = await index(kind, url)
    expect(status).toBe(1)
    expect(errors).toMatch(new RegExp(`${names[kind]} at \\S+ does not accept the credentials`))
    expect(errors).toContain('Set QUERENT_ENGINE_API_KEY, or QUERENT_ENGINE_USERNAME')
    expect(errors).toContain('caused by: security_exception')
  })

  it('says that the user lacks rights, and that a user without the right to ask may index', async () => {
    const { url, requests } = await engine(kind, refused(403), refused(403))
    const { status, errors } = await index(kind, url)
    expect(status).toBe(1)
    expect(errors).toContain('rights')
    expect(requests.length).toBeGreaterThan(1)
  })

  it('asks whether the engine is running if nothing listens', async () => {
    const { status, errors } = await index(kind, 'http://user:secret@127.0.0.1:1')
    expect(status).toBe(1)
    expect(errors).toContain(
      `${names[kind]} at http://127.0.0.1:1 cannot be reached. Check that it is running, and that the URL is right.`,
    )
    expect(errors).toContain('ECONNREFUSED')
    expect(errors).not.toContain('secret')
  })
})

it('a search says that the engine cannot be reached', async () => {
  const config = join(await temporaryFolder(), 'querent.json')
  const definition = { engine: 'opensearch', url: 'http://127.0.0.1:1', index: 'articles' }
  await writeFile(config, JSON.stringify({ retrievers: { here: definition } }))
  const { status, errors } = await runToEnd(['search', 'x', '--config', config, '--policy', 'none'])
  expect(status).toBe(1)
  expect(errors).toContain('OpenSearch at http://127.0.0.1:1')
})

describe('engineError', () => {
  const reached = { engine: 'opensearch', url: ['https://a:9200/', 'https://b:9200/path'] } as const

  it('says how to trust a certificate', () => {
    const cause = Object.assign(new Error('self-signed certificate in certificate chain'), {
      name: 'ConnectionError',
    })
    expect(engineError(cause, reached)).toMatchObject({
      what: 'The certificate of OpenSearch at https://a:9200, https://b:9200/path is not trusted',
      remedy: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
      cause,
    })
  })

  it('says who answered', () => {
    const missing = Object.assign(new Error('{"error":"nope /docs","status":404}'), { statusCode: 404 })
    expect(
      engineError(missing, { engine: 'opensearch', url: 'https://user:secret@a:9200/nope' }),
    ).toMatchObject({
      what: 'OpenSearch at https://a:9200/nope answered 404',
      remedy: 'Check the name of the index, and the path in the URL.',
      cause: missing,
    })
    const busy = Object.assign(new Error('busy'), { statusCode: 429 })
    expect(engineError(busy, reached)).toMatchObject({
      what: 'OpenSearch at https://a:9200, https://b:9200/path answered 429',
      cause: busy,
    })
  })

  it('leaves errors unchanged that are no answers', () => {
    const other = new Error('out of memory')
    expect(engineError(other, reached)).toBe(other)
  })
})
