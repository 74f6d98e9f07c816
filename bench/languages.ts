/**
 * What the local policy does to searches in languages that it does not know: known items among translated manual pages. A query is
 * what NAME says that a page is about, without the page's name; it wants that page among all pages of the language, which are
 * searched without NAME.
 *
 *     npx tsx bench/languages.ts [<folder of manual pages> ...]   # minutes; /usr/share/man if no folder is named
 *
 * Debian's packages manpages-de, manpages-fr and so on have them. A package need not be installed: `dpkg -x` unpacks it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import { languages } from '../adapters/search/language.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { none } from '../policies/none.ts'
import { evaluate } from '../src/evaluation/evaluate.ts'
import { holm, randomizationTest } from '../src/evaluation/significance.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Document } from '../src/types.ts'
import { rounded } from './numbers.ts'
import { print } from './print.ts'

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['/usr/share/man']
const sections = ['man1', 'man5', 'man8']
const longest = 40_000
const fewest = 30

interface Page {
  readonly document: Document
  readonly about: string
}

/** The page without header, footer and what aligns it; its first section is NAME in every language. */
function pageOf(file: string): Page | undefined {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '200', MAN_KEEP_FORMATTING: '' }
  const flags = ['-P', 'cat', '--nh', '--nj', '-l']
  const printed = execFileSync('man', [...flags, file], { env, maxBuffer: 1e9, stdio: 'pipe' }).toString()
  const lines = printed
    .trim()
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
  const start = lines.findIndex((line) => line !== '')
  const end = lines.indexOf('', start)
  const [, about = ''] = lines
    .slice(start + 1, end)
    .join(' ')
    .split(/ [-–—−] (.*)/)
  const text = lines.slice(end).join('\n').trim().slice(0, longest)
  if (about.length < 8 || text.length < 200) return undefined
  const docid = basename(file).replace(/\.gz$/, '')
  return { document: { docid, title: docid.replace(/\.[^.]*$/, ''), text }, about }
}

/** The pages in a language, each once: links lead to the page that they are other names of. */
function pagesIn(code: string): Page[] {
  const files = folders.flatMap((folder) =>
    sections
      .map((section) => join(folder, code, section))
      .filter(existsSync)
      .flatMap((section) => readdirSync(section).map((name) => join(section, name)))
      .filter((file) => !basename(file).startsWith('gcloud') && existsSync(file))
      .map((file) => realpathSync(file)),
  )
  const pages = [...new Set(files)].flatMap((file) => pageOf(file) ?? [])
  return [...new Map(pages.map((page) => [page.document.text, page])).values()]
}

const nameOf = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language' }).of(code.slice(0, 2))!

const found = folders.flatMap((folder) => readdirSync(folder)).filter((name) => /^[a-z]{2}(_|$)/.test(name))
const pages = new Map(['', ...new Set(found.sort())].map((code) => [code, pagesIn(code)]))

/** What a page is about → the languages that say it so. */
const saidIn = new Map<string, Set<string>>()
for (const [code, those] of pages) {
  for (const { about } of those) saidIn.set(about, (saidIn.get(about) ?? new Set()).add(nameOf(code || 'en')))
}

/** Pages that say the same of themselves are all wanted. What several languages say alike is not translated, and no query. */
function judgmentsOf(code: string): Map<string, Map<string, number>> {
  const qrels = new Map<string, Map<string, number>>()
  for (const { about, document } of pages.get(code)!) {
    if (code !== '' && saidIn.get(about)!.size > 1) continue
    qrels.set(about, (qrels.get(about) ?? new Map<string, number>()).set(document.docid, 1))
  }
  return qrels
}

const rows: (Record<string, string | number> & { readonly p: number })[] = []
for (const [code, those] of pages) {
  const qrels = judgmentsOf(code)
  const queries = [...qrels.keys()].map((about) => ({ qid: about, text: about }))
  if (queries.length < fewest) continue
  const name = nameOf(code || 'en')
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
