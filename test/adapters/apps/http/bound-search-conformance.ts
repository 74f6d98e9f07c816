/**
 * What the search does that a middleware gives to the handlers after it, in whichever framework, and which of its options are wrong.
 * A framework's test is `testBoundSearch({ name: 'Koa 3', start, withQuerent, searchRoute })`.
 */
import { describe, expect, it } from 'vitest'
import type { BoundSearch } from '../../../../adapters/apps/http/bound-search.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import type { Retriever } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'
import { type Send, until } from './http-server.ts'

export interface BoundSearchShell {
  readonly name: string
  /** Serves what `answer` makes of the search that `withQuerent` gives to a handler, and of the parameter `q`. */
  // biome-ignore lint/suspicious/noExplicitAny: a context is whatever the framework has.
  start(options: any, answer: (querent: BoundSearch, text: string) => Promise<string>): Promise<Send>
  /** A header of the request that the shell's context is or holds. */
  // biome-ignore lint/suspicious/noExplicitAny: a context is whatever the framework has.
  header(context: any, name: string): string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the options are wrong.
  readonly make: Readonly<Record<'searchRoute' | 'withQuerent', (options: any) => unknown>>
}

export function testBoundSearch({ name, start, header, make }: BoundSearchShell): void {
  describe(`${name}: withQuerent`, () => {
    it('gives handlers a search', async () => {
      const optimizer = createOptimizer({ retrievers: [scriptedRetriever({ found: { who: ['a', 'b'] } })] })
      const send = await start({ optimizer }, async (querent, text) => {
        const { hits } = await querent.search(text, { k: 1 })
        return hits.map(({ docid }) => docid).join()
      })
      expect(await (await send('/books?q=who')).text()).toBe('a')
    })

    it('ends the search when the client goes, and for no other reason', async () => {
      const signals: AbortSignal[] = []
      const watched: Retriever = {
        name: 'watched',
        retrieve(subQueries, { signal }) {
          signals.push(signal!)
          if (subQueries[0]!.text === 'silence') return new Promise(() => {})
          return Promise.resolve(subQueries.map((subQuery) => ({ retriever: 'watched', subQuery, hits: [] })))
        },
      }
      const optimizer = createOptimizer({
        retrievers: [watched],
        budget: { timeout: 50_000 },
        legTimeout: 50_000,
      })
      const reasons: unknown[] = []
      const send = await start({ optimizer }, async (querent, text) => {
        await querent.search(text).catch((reason: unknown) => reasons.push(reason))
        return 'done'
      })
      await (await send('/books?q=words')).text()
      const client = new AbortController()
      const answering = send('/books?q=silence', { signal: client.signal }).catch(() => {})
      await until(() => signals.length === 2)
      expect(signals[1]!.aborted).toBe(false)
      client.abort()
      await answering
      await until(() => reasons.length > 0)
      expect(signals[1]!.aborted).toBe(true)
      expect(reasons).toMatchObject([{ code: 'aborted', what: 'The client has gone' }])
    })

    it('searches with what belongs to the caller', async () => {
      const optimizer = async (context: unknown) => {
        const found = { who: [`for ${header(context, 'authorization')}`] }
        return createOptimizer({ retrievers: [scriptedRetriever({ found })] })
      }
      const send = await start({ optimizer }, async (querent, text) => {
        const { hits } = await querent.search(text)
        return hits[0]!.docid
      })
      const answers = ['one', 'two', 'three'].map(async (authorization) =>
        (await send('/books?q=who', { headers: { authorization } })).text(),
      )
      expect(await Promise.all(answers)).toEqual(['for one', 'for two', 'for three'])
    })
  })

  const optimizer = { search: () => Promise.reject() }
  it.each([
    ['searchRoute: optimizer', () => make.searchRoute({})],
    ['searchRoute: path', () => make.searchRoute({ optimizer, path: 'x' })],
    ['searchRoute: path', () => make.searchRoute({ optimizer, path: '/x/' })],
    ['withQuerent: optimizer', () => make.withQuerent({})],
  ])(`${name} says which option is wrong: %s`, (option, wrong) => {
    expectError(wrong, 'bad-config', option)
  })
}
