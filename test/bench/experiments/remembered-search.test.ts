import { expect, it } from 'vitest'
import { withRememberedSearch } from '../../../bench/experiments/remembered-search.ts'
import type { RankedList, SubQuery } from '../../../src/types.ts'
import { example } from '../../support/prepared.ts'

function counted(qid: string, collection: string, text?: string) {
  const asked: string[] = []
  return {
    ...example({ qid, golds: ['gold'], asIs: ['gold'], collection }),
    asked,
    async lookUp(names: readonly string[], count: number): Promise<string[][]> {
      asked.push(...names)
      return names.map((name) => Array.from({ length: count }, (_, place) => `${name} ${place}`))
    },
    async search(subQueries: readonly SubQuery[], k = 10): Promise<RankedList[][]> {
      asked.push(...subQueries.map((subQuery) => subQuery.text))
      return subQueries.map((subQuery) => {
        const hits = Array.from({ length: k }, (_, place) => ({
          docid: `${subQuery.text} ${place}`,
          score: 1 / (place + 3),
          rank: place + 1,
          ...(text !== undefined && { document: { docid: `${subQuery.text} ${place}`, text } }),
        }))
        return [{ retriever: 'bm25', subQuery, hits }]
      })
    },
  }
}

const sub = (text: string): SubQuery => ({ text, round: 1 })

it.each([undefined, 'its document'])(
  'gives the lists that a search gives, and searches once',
  async (text) => {
    const one = counted('a', 'world', text)
    const other = counted('b', 'world', text)
    const stranger = counted('c', 'elsewhere', text)
    const [first, second, third] = withRememberedSearch([one, other, stranger])
    const fresh = await counted('d', 'world', text).search([sub('x'), sub('y')])
    expect(await first!.search([sub('x'), sub('y')])).toEqual(fresh)
    expect(await second!.search([sub('x'), sub('y')])).toEqual(fresh)
    expect(await third!.search([sub('x')])).toEqual(fresh.slice(0, 1))
    expect([one.asked, other.asked, stranger.asked]).toEqual([['x', 'y'], [], ['x']])
  },
)

it('tells depths and filters apart', async () => {
  const one = counted('a', 'world')
  const filtered = { ...counted('b', 'world'), query: { qid: 'b', text: 'b', filter: { year: 1999 } } }
  const [first, second] = withRememberedSearch([one, filtered])
  expect((await first!.search([sub('x')], 2))[0]![0]!.hits).toHaveLength(2)
  expect((await first!.search([sub('x')]))[0]![0]!.hits).toHaveLength(10)
  await second!.search([sub('x')])
  expect(filtered.asked).toEqual(['x'])
})

it('remembers what names lead to, by themselves', async () => {
  const one = counted('a', 'world')
  const [first] = withRememberedSearch([one])
  await first!.search([sub('x')], 2)
  expect(await first!.lookUp(['x', 'y'], 2)).toEqual([
    ['x 0', 'x 1'],
    ['y 0', 'y 1'],
  ])
  expect(await first!.lookUp(['y'], 2)).toEqual([['y 0', 'y 1']])
  expect(one.asked).toEqual(['x', 'x', 'y'])
})
