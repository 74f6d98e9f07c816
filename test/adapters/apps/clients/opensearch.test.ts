/** What only OpenSearch's client does, beside what all wrapped clients do. */
import { describe, expect, it } from 'vitest'
import { officialClients } from '../../../engines/official-clients.ts'
import { rejection } from '../../../support/same-error.ts'
import { decides, idsIn, query, serving } from './client-server.ts'
import { testWrappedClient } from './conformance.ts'

const official = officialClients.find(({ kind }) => kind === 'opensearch')!

describe(official.name, () => {
  testWrappedClient(official)

  it('calls back as the client does', async () => {
    const { wrap } = await serving(official)
    const search = wrap(decides).it.search as (...given: unknown[]) => { abort(): void }
    const [error, result] = await new Promise<unknown[]>((resolve) => {
      const returned = search({ index: 'works', body: query }, (...given: unknown[]) => resolve(given))
      expect(returned).not.toBeInstanceOf(Promise)
    })
    expect(error).toBeNull()
    expect(idsIn((result as { body: unknown }).body)).toHaveLength(4)
  })

  it('calls back with the error of a search that fails', async () => {
    const { bare, wrap } = await serving(official, { status: 503, body: '{}' })
    const own = await rejection(bare.search('works', query))
    const search = wrap(decides).it.search as (...given: unknown[]) => void
    const error = await new Promise((resolve) => search({ index: 'works', body: query }, resolve))
    expect(error).toBeInstanceOf(official.errors.ResponseError)
    expect(error).toMatchObject({ message: (own as Error).message, statusCode: 503 })
  })

  it("ends the search and its sub-queries with the promise's abort", async () => {
    const { server, wrap } = await serving(official, 'hang')
    const search = wrap(decides).it.search as (given: object) => Promise<unknown> & { abort(): void }
    const asked = search({ index: 'works', body: query })
    const ending = rejection(asked)
    await server.arrived(2)
    asked.abort()
    expect(await ending).toBeInstanceOf(official.errors.RequestAbortedError)
    await server.left(2)
  })
})
