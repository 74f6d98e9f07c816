/**
 * What an application ranks by itself stays so: popularity, dates, categories and boosts keep their figures, and a page that
 * people know the title of is found as it is without Querent.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { createRandom } from '../../src/learn/random.ts'
import type { Document } from '../../src/types.ts'
import { json } from '../support/ask-engine.ts'
import { collectionFolder, collectionsMissing, needsCollections } from '../support/collections.ts'
import type { EngineKind } from '../support/search-world.ts'
import { isFull } from '../support/tier.ts'
import { type Ask, type Optimizing, waysTo } from './ways.ts'

interface Page extends Document {
  readonly views: number
  readonly year: number
  readonly category: string
}

interface Shown {
  readonly hits: { readonly hits: readonly { readonly _source: Page }[] }
}

const categories = ['film', 'person', 'place', 'book', 'band']
const name = collectionsMissing ? `rankings ${needsCollections}` : 'rankings'

describe.skipIf(collectionsMissing).each(['elasticsearch', 'opensearch'] as const)(`${name}: %s`, (kind) => {
  const url = inject(kind)
  const index = `qx-${randomBytes(5).toString('hex')}`
  const [way] = waysTo(kind, url)
  let pages: readonly Page[]
  let questions: readonly string[]
  let optimizing: Optimizing

  beforeAll(async () => {
    pages = await madePages()
    const { queries } = await readBeir(collectionFolder('hotpotqa-train'))
    questions = queries.slice(0, isFull ? 60 : 30).map(({ text }) => text)
    await write(kind, url, index, pages)
    optimizing = await way!.optimizing({ legTimeout: 60_000, resilience: { timeout: 60_000 } })
  })
  afterAll(async () => {
    await optimizing.close()
    await json(`${url}/${index}`, { method: 'DELETE' })
  })

  const first = async (ask: Ask, query: JsonObject, most: number, more: JsonObject = {}): Promise<Page[]> => {
    const answer = (await ask({ index, parameters: {}, body: { query, size: 10, ...more } })) as Shown
    return answer.hits.hits.slice(0, most).map(({ _source }) => _source)
  }

  describe('what the caller ranks by', () => {
    const inBoth = (query: string): JsonObject => ({ multi_match: { query, fields: ['title', 'text'] } })
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length

    it.each<readonly [string, (query: JsonObject) => JsonObject, (page: Page) => number]>([
      [
        'popularity',
        (query) => ({
          function_score: { query, field_value_factor: { field: 'views', modifier: 'log1p', factor: 0.1 } },
        }),
        ({ views }) => Math.log1p(views),
      ],
      [
        'a category’s weight',
        (query) => ({
          function_score: { query, functions: [{ filter: { term: { category: 'film' } }, weight: 20 }] },
        }),
        ({ category }) => (category === 'film' ? 1 : 0),
      ],
      [
        'a date in place of the words',
        (query) => ({
          function_score: { query, gauss: { year: { origin: 2024, scale: 2 } }, boost_mode: 'replace' },
        }),
        ({ year }) => year - 2000,
      ],
      [
        'a preference',
        (query) => ({ bool: { must: query, should: { term: { category: { value: 'book', boost: 20 } } } } }),
        ({ category }) => (category === 'book' ? 1 : 0),
      ],
    ])('%s: the first five are as those of the engine', async (_, ranked, figure) => {
      const words = questions.map((text) => text.split(' ').find((word) => word.length > 6) ?? text)
      for (const texts of [questions, words]) {
        const valuesBy = async (ask: Ask): Promise<number> => {
          const lists = await inTurn(texts, (text) => first(ask, ranked(inBoth(text)), 5))
          return mean(lists.flat().map(figure))
        }
        const [own, optimized] = [await valuesBy(way!.bare), await valuesBy(optimizing.ask)]
        expect(optimized / own).toBeGreaterThan(0.95)
        expect(optimized / own).toBeLessThan(1.05)
      }
    })
  })

  describe('a title that is known is found as without Querent', () => {
    const fields = ['title', 'text']
    const forms: readonly (readonly [string, (title: string) => string, (text: string) => JsonObject])[] = [
      ['as it is', (title) => title, (query) => ({ multi_match: { query, fields } })],
      ['in small letters', (title) => plain(title), (query) => ({ multi_match: { query, fields } })],
      ['“who is …”', (title) => `who is ${title}`, (query) => ({ multi_match: { query, fields } })],
      ['“What is …?”', (title) => `What is ${title}?`, (query) => ({ multi_match: { query, fields } })],
      [
        'with a boost for the exact title',
        (title) => title,
        (query) => ({
          bool: {
            should: [
              { multi_match: { query, fields } },
              { term: { 'title.keyword': { value: query, boost: 100 } } },
            ],
          },
        }),
      ],
      [
        'with two letters exchanged',
        typed,
        (query) => ({ multi_match: { query, fields, fuzziness: 'AUTO' } }),
      ],
      [
        'half typed',
        (title) => title.slice(0, Math.ceil(title.length * 0.6)),
        (query) => ({ multi_match: { query, fields, type: 'bool_prefix' } }),
      ],
      [
        'but for its last letters',
        (title) => title.slice(0, -2),
        (query) => ({ match_phrase_prefix: { title: query } }),
      ],
    ]

    it.each(forms)('%s', async (_, write, query) => {
      const most = isFull ? 250 : 80
      const titles = pages.map(({ title }) => title!).filter((title) => title.length > 3)
      const asked = titles.filter((_, place) => place % Math.floor(titles.length / most) === 0).slice(0, most)
      const mrr = async (ask: Ask): Promise<number> => {
        const ranks = await inTurn(asked, async (title) => {
          const found = await first(ask, query(write(title)), 10)
          return found.findIndex((page) => page.title === title) + 1
        })
        return (100 * ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : 1 / rank), 0)) / ranks.length
      }
      expect(await mrr(optimizing.ask)).toBeGreaterThanOrEqual((await mrr(way!.bare)) - 0.3)
    })
  })
})

/** One after the other: the engine and the client share the machine. */
async function inTurn<T>(texts: readonly string[], ask: (text: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (const text of texts) answers.push(await ask(text))
  return answers
}

const plain = (title: string): string => title.toLowerCase().replace(/\s*\(.*?\)/g, '')

/** Two letters in the middle change places. */
function typed(title: string): string {
  const at = Math.floor(title.length / 2)
  return `${title.slice(0, at)}${title[at + 1] ?? ''}${title[at]}${title.slice(at + 2)}`
}

/** The collection's documents with titles of their own, each with views, a year and a category that say nothing. */
async function madePages(): Promise<Page[]> {
  const random = createRandom(1)
  const pages = new Map<string, Page>()
  for await (const document of readCorpus(await findCorpus(collectionFolder('hotpotqa-train')))) {
    if (document.title === undefined || pages.has(document.title)) continue
    pages.set(document.title, {
      ...document,
      views: Math.floor(1 / (random.float() + 1e-4)),
      year: 2005 + random.integer(20),
      category: categories[random.integer(categories.length)]!,
    })
  }
  return [...pages.values()]
}

async function write(kind: EngineKind, url: string, index: string, pages: readonly Page[]): Promise<void> {
  const text = { type: 'text', ...(kind === 'opensearch' && { analyzer: 'english' }) }
  const keyword = { type: 'keyword' }
  await json(`${url}/${index}`, {
    method: 'PUT',
    body: {
      settings: { number_of_replicas: 0 },
      mappings: {
        properties: {
          title: { ...text, fields: { keyword } },
          text,
          views: { type: 'integer' },
          year: { type: 'integer' },
          category: keyword,
        },
      },
    },
  })
  for (let place = 0; place < pages.length; place += 1000) {
    const lines = pages
      .slice(place, place + 1000)
      .flatMap((page) => [JSON.stringify({ index: { _id: page.docid } }), JSON.stringify(page)])
    const response = await fetch(`${url}/${index}/_bulk?refresh=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${lines.join('\n')}\n`,
    })
    const { errors } = (await response.json()) as { readonly errors: boolean }
    if (errors) throw new Error('The pages could not be written')
  }
}
