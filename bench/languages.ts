/**
 * What the local policy does to searches in languages that it does not know: known items among translated manual pages. A query is
 * what NAME says that a page is about, without the page's name; it wants that page among all pages of the language, which are
 * searched without NAME.
 *
 *     npx tsx bench/languages.ts [<folder of manual pages> ...]   # minutes; /usr/share/man if no folder is named
 *
 * Debian's packages manpages-de, manpages-fr and so on have them. A package need not be installed: `dpkg -x` unpacks it.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../adapters/search/language.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { none } from '../policies/none.ts'
import { evaluate } from '../src/evaluation/evaluate.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { groupBy } from '../src/runtime/group-by.ts'
import type { Document } from '../src/types.ts'
import { docidOf, linesOf, longestPage, manualPages } from './manual-pages.mjs'
import { rounded } from './numbers.ts'
import { print } from './print.ts'

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['/usr/share/man']
const fewest = 30

interface Page {
  readonly document: Document
  readonly about: string
}

/** The first section of a page is NAME in every language. */
function pageOf(file: string): Page | undefined {
  const lines = linesOf(file)
  const start = lines.findIndex((line) => line !== '')
  const end = lines.indexOf('', start)
  const [, about = ''] = lines
    .slice(start + 1, end)
    .join(' ')
    .split(/ [-–—−] (.*)/)
  const text = lines.slice(end).join('\n').trim().slice(0, longestPage)
  if (about.length < 8 || text.length < 200) return undefined
  const docid = docidOf(file)
  return { document: { docid, title: docid.replace(/\.[^.]*$/, ''), text }, about }
}

/** The pages in a language, each once. */
function pagesIn(code: string): Page[] {
  const files = manualPages(folders.map((folder) => join(folder, code)))
  const pages = files.flatMap((file) => pageOf(file) ?? [])
  return [...new Map(pages.map((page) => [page.document.text, page])).values()]
}

/** Pages without a code are English. */
const nameOf = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(code === '' ? 'en' : code.slice(0, 2))!

const found = folders.flatMap((folder) => readdirSync(folder)).filter((name) => /^[a-z]{2}(_|$)/.test(name))
const pages = new Map(['', ...new Set(found.sort())].map((code) => [code, pagesIn(code)]))

/** What a page is about → the languages that say it so. */
const saidIn = new Map<string, Set<string>>()
for (const [code, those] of pages)
  for (const { about } of those) saidIn.set(about, (saidIn.get(about) ?? new Set()).add(nameOf(code)))

/** Pages that say the same of themselves are all wanted. What several languages say alike is not translated, and no query. */
function judgmentsOf(code: string): Map<string, Map<string, number>> {
  const asked = pages.get(code)!.filter(({ about }) => code === '' || saidIn.get(about)!.size === 1)
  const byWords = groupBy(asked, ({ about }) => about)
  return new Map(
    Array.from(byWords, ([about, those]) => [
      about,
      new Map(those.map(({ document }) => [document.docid, 1])),
    ]),
  )
}

const rows: (Record<string, string | number> & { readonly p: number })[] = []
for (const [code, those] of pages) {
  const qrels = judgmentsOf(code)
  const queries = [...qrels.keys()].map((about) => ({ qid: about, text: about }))
  if (queries.length < fewest) continue
  const name = nameOf(code)
  const language = languages.find((each) => name.toLowerCase().startsWith(each)) ?? 'english'
  const retrievers = [
    await buildWinkBm25(
      those.map(({ document }) => document),
      { language },
    ),
  ]
  const evaluated = async (parts: Omit<Parameters<typeof createOptimizer>[0], 'retrievers'>) => {
    const { search } = createOptimizer({ retrievers, ...parts })
    return await evaluate(search, queries, qrels, { metrics: ['ndcg@10', 'success@1'], k: 10 })
  }
  const [before, after] = [
    await evaluated({ policy: none() }),
    await evaluated(await localPolicy({ retrievers })),
  ]
  const [old, now] = [before, after].map(({ values }) => [...values.get('ndcg@10')!.values()])
  const right = [...before.values.get('success@1')!].filter(([, value]) => value === 1).map(([qid]) => qid)
  const kept = right.filter((qid) => after.values.get('success@1')!.get(qid) === 1)
  const { oneRequest } = after.summary
  rows.push({
    language: code.includes('_') ? `${name} (${code.slice(3)})` : name,
    stems: language,
    pages: those.length,
    queries: queries.length,
    without: rounded(100 * before.means.get('ndcg@10')!),
    with: rounded(100 * after.means.get('ndcg@10')!),
    p: randomizationTest(now!, old!).p,
    kept: rounded((100 * kept.length) / right.length),
    further: rounded((100 * (queries.length - oneRequest)) / queries.length),
  })
}
const notes = [
  'without, with: nDCG@10 of the query alone, and of the local policy, in %. p: corrected for all languages by Holm.',
  'kept: right first hits that are still first. further: queries with more than one request. In %.',
]
const corrected = holm(rows.map(({ p }) => p))
print({
  name: 'languages',
  rows: rows.map((row, place) => ({ ...row, p: rounded(corrected[place]!) })),
  notes,
})
