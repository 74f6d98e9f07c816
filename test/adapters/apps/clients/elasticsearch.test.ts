/** What only Elasticsearch's client does, beside what all wrapped clients do. */
import { describe, expect, it } from 'vitest'
import { officialClients } from '../../../engines/official-clients.ts'
import { rejection } from '../../../support/same-error.ts'
import { decides, engine, idsIn, isMsearch, leaves, query, searchesAt, serving } from './client-server.ts'
import { testWrappedClient } from './conformance.ts'

const clients = officialClients.filter(({ kind }) => kind === 'elasticsearch')

describe.each(clients)('$name', (official) => {
  testWrappedClient(official)

  it('gives the body alone without `meta: true`', async () => {
    const { wrap } = await serving(official)
    const { search, msearch } = wrap(decides).it as Record<string, (given: object) => Promise<unknown>>
    expect(idsIn(await search!({ index: 'works', ...query })).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(await msearch!({ searches: [{}, query] })).toHaveProperty('responses')
  })

  describe('a signal', () => {
    it('ends the search and its sub-queries', async () => {
      const { server, wrap } = await serving(official, 'hang')
      const stop = new AbortController()
      const ending = rejection(wrap(decides).search('works', query, { signal: stop.signal }))
      await server.arrived(2)
      stop.abort()
      expect(await ending).toBeInstanceOf(official.errors.RequestAbortedError)
      await server.left(2)
    })

    it('that is aborted before the search lets nothing be sent', async () => {
      const { server, wrap } = await serving(official)
      const error = await rejection(wrap(decides).search('works', query, { signal: AbortSignal.abort() }))
      expect(error).toBeInstanceOf(official.errors.RequestAbortedError)
      expect(searchesAt(server)).toEqual([])
    })
  })

  it('that takes too long ends no other search', async () => {
    const { server, wrap } = await serving(official, 'hang')
    let isOver = false
    const other = rejection(wrap(leaves).search('works', query)).finally(() => {
      isOver = true
    })
    await server.arrived(1)
    const late = await rejection(wrap(leaves).search('works', query, { requestTimeout: 50 }))
    expect(late).toBeInstanceOf(official.errors.TimeoutError)
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    await server.close()
    expect(await other).toBeInstanceOf(official.errors.ConnectionError)
  })

  it('whose sub-queries are late leaves the node in use', async () => {
    const { bare, wrap } = await serving(official, (request) =>
      isMsearch(request) ? 'hang' : engine(request),
    )
    const found = await wrap({ ...decides, legTimeout: 50 }).search('works', query)
    expect(idsIn(found.body)).toEqual(['a', 'b'])
    const { connections } = bare.it.connectionPool as { connections: readonly { readonly status: string }[] }
    expect(connections.map(({ status }) => status)).toEqual(['alive'])
  })

  it('takes parameters of the URL beside the body, and sends them with the search', async () => {
    const { server, wrap } = await serving(official)
    await wrap(decides).search('works', query, { querystring: { routing: 'a' } })
    const paths = searchesAt(server).map(({ path }) => path)
    expect(paths.filter((path) => path.includes('routing=a'))).toHaveLength(1)
    expect(paths).toHaveLength(2)
  })
})
