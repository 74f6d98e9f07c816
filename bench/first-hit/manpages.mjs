/**
 * Makes the collection of this machine's manual pages (sections 1, 5 and 8): `corpus.jsonl` beside its queries and judgments.
 *
 *     node bench/first-hit/manpages.mjs [<folder with man1, man5, man8> ...]
 *
 * A page that has several names is one document, named after the shortest.
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { docidOf, linesOf, longestPage, manualPages } from '../manual-pages.mjs'

const roots = process.argv.length > 2 ? process.argv.slice(2) : ['/usr/share/man']
/** Short names come first. */
const files = manualPages(roots).sort((one, other) => basename(one).length - basename(other).length)

/** @type {(name: string, lines: string[]) => string} The first paragraph of NAME, after the name if it lacks that. */
const titleOf = (name, lines) => {
  const start = lines.findIndex((line) => line.toUpperCase() === 'NAME') + 1
  const line = lines.slice(start, lines.indexOf('', start)).join(' ').slice(0, 300)
  return line.includes(name) ? line : `${name}: ${line}`
}

const documents = []
const seen = new Set()
for (const file of files) {
  const docid = docidOf(file)
  const lines = linesOf(file)
  const written = lines.filter((line) => line !== '')
  const text = written.join('\n').slice(0, longestPage)
  // A page that only includes another comes out as that page.
  if (seen.has(text) || text.length < 200) continue
  seen.add(text)
  documents.push({ _id: docid, title: titleOf(docid.replace(/\.[^.]*$/, ''), lines), text })
}
const corpus = new URL('manpages/corpus.jsonl', import.meta.url)
writeFileSync(corpus, documents.map((each) => `${JSON.stringify(each)}\n`).join(''))
console.log(`${documents.length} pages in ${corpus.pathname}`)
