/**
 * Makes the collection of this machine's manual pages (sections 1, 5 and 8): `corpus.jsonl` beside its queries and judgments.
 *
 *     node bench/first-hit/manpages.mjs [<folder with man1, man5, man8> ...]
 *
 * A page that has several names is one document, named after the shortest. Pages of gcloud are left out: there are ten times as many
 * as all others together, each in three versions. Pages are cut at 40,000 characters, which leaves 96 % of them whole.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const roots = process.argv.length > 2 ? process.argv.slice(2) : ['/usr/share/man']
const longest = 40_000

/** The files of the pages, each once: links lead to the page that they are other names of. Short names come first. */
function pages() {
  const files = roots.flatMap((root) =>
    ['man1', 'man5', 'man8']
      .map((section) => join(root, section))
      .filter(existsSync)
      .flatMap((section) => readdirSync(section).map((name) => join(section, name)))
      .filter((file) => !basename(file).startsWith('gcloud') && existsSync(file))
      .map((file) => realpathSync(file)),
  )
  return [...new Set(files)].sort((one, other) => basename(one).length - basename(other).length)
}

/** @type {(file: string) => string[]} The page's lines without header, footer, and what aligns them. */
const linesOf = (file) => {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '200', MAN_KEEP_FORMATTING: '' }
  const flags = ['-P', 'cat', '--nh', '--nj', '-l']
  const printed = execFileSync('man', [...flags, file], { env, maxBuffer: 1e9, stdio: 'pipe' })
  const lines = printed.toString().trim().split('\n').slice(1, -1)
  return lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))
}

/** @type {(name: string, lines: string[]) => string} The first paragraph of NAME, after the name if it lacks that. */
const titleOf = (name, lines) => {
  const start = lines.findIndex((line) => line.toUpperCase() === 'NAME') + 1
  const line = lines.slice(start, lines.indexOf('', start)).join(' ').slice(0, 300)
  return line.includes(name) ? line : `${name}: ${line}`
}

const documents = []
const seen = new Set()
for (const file of pages()) {
  const docid = basename(file).replace(/\.gz$/, '')
  const lines = linesOf(file)
  const written = lines.filter((line) => line !== '')
  const text = written.join('\n').slice(0, longest)
  // A page that only includes another comes out as that page.
  if (seen.has(text) || text.length < 200) continue
  seen.add(text)
  documents.push({ _id: docid, title: titleOf(docid.replace(/\.[^.]*$/, ''), lines), text })
}
const corpus = new URL('manpages/corpus.jsonl', import.meta.url)
writeFileSync(corpus, documents.map((each) => `${JSON.stringify(each)}\n`).join(''))
console.log(`${documents.length} pages in ${corpus.pathname}`)
