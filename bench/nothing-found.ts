/**
 * What becomes of searches that find nothing: judged queries with `operator: and`, with one filter too many, and with two misspelled
 * words, each through a wrapped client that relaxes them and one that does not, on a real Elasticsearch.
 *
 *     npx tsx bench/nothing-found.ts <folder> … [--each 25]
 */
import { parseArgs } from 'node:util'
import { querent } from '../adapters/apps/clients/elasticsearch.ts'
import { findCorpus, readBeir } from '../src/evaluation/beir-folder.ts'
import { readCorpus } from '../src/evaluation/corpus.ts'
import { createRandom } from '../src/learn/random.ts'
import type { Document } from '../src/types.ts'
import { withIndex } from './elasticsearch.ts'
import { rounded } from './numbers.ts'
import { print } from './print.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { each: { type: 'string', default: '25' } },
})
const random = createRandom(1)

/** A word with two neighboring letters exchanged, behind its first one. */
function misspelled(word: string): string {
  const at = 1 + random.integer(word.length - 2)
  return `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`
}

function withSlips(text: string): string {
  const longest = text
    .split(/\s+/)
    .filter((word) => /^[a-z]{5,}$/i.test(word))
    .sort((one, other) => other.length - one.length)
  return longest.slice(0, 2).reduce((rest, word) => rest.replace(word, misspelled(word)), text)
}

const wordsOf = (query: string, operator: 'and' | 'or') => ({
  multi_match: { query, fields: ['title', 'text'], operator },
})
const ways = {
  'operator: and': (text: string) => wordsOf(text, 'and'),
  'a filter too many': (text: string) => ({
    bool: { must: [wordsOf(text, 'or')], filter: [{ term: { 'shelf.keyword': 'empty' } }] },
  }),
  'two misspelled words': (text: string) => wordsOf(withSlips(text), 'and'),
}

const rows: Record<string, string | number>[] = []
const all = { searches: 0, empty: 0, helped: 0, changed: 0 }
for (const folder of positionals) {
  const { queries, qrels } = await readBeir(folder)
  const documents: Document[] = []
  for await (const document of readCorpus(await findCorpus(folder))) documents.push(document)
  const chosen = queries.filter(({ qid }) => qrels.has(qid!)).slice(0, 3 * Number(values.each))
  await withIndex('querent-nothing-found', documents, async (client) => {
    const index = 'querent-nothing-found'
    const usual = querent(client, {})
    const relaxing = querent(client, { relax: { droppable: ['shelf.keyword'] } })
    for (const [place, [way, queryOf]] of Object.entries(ways).entries()) {
      const counts = { searches: 0, empty: 0, helped: 0, changed: 0 }
      for (const { qid, text } of chosen.filter((_, at) => at % 3 === place)) {
        const query = queryOf(text)
        const plain = await usual.search({ index, query })
        const found = await relaxing.search({ index, query })
        const ids = found.hits.hits.map(({ _id }) => _id!)
        counts.searches++
        if (plain.hits.hits.length > 0) {
          if (JSON.stringify(plain.hits) !== JSON.stringify(found.hits)) counts.changed++
          continue
        }
        counts.empty++
        if (ids.slice(0, 5).some((id) => (qrels.get(qid!)!.get(id) ?? 0) > 0)) counts.helped++
      }
      for (const name of ['searches', 'empty', 'helped', 'changed'] as const) all[name] += counts[name]
      rows.push({ collection: folder.split('/').at(-1)!, way, ...counts })
    }
  })
}
const share = rounded((100 * all.helped) / all.empty)
print({
  name: 'nothing found',
  rows: [...rows, { collection: 'all', way: '', ...all }],
  notes: [
    `helped: of the empty ones, those with a relevant hit among the first five: ${share} %.`,
    'changed: of those that found something, those whose hits are others than without `relax`.',
  ],
})
