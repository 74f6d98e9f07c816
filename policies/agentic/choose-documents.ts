/** Which documents a prompt shows, and what it says of the texts that were searched. */
import { searchKey } from '../../src/dedupe.ts'
import { analyzer } from '../../src/text/analyze.ts'
import type { Document } from '../../src/types.ts'
import type { Page } from './page.ts'

/** A document that was shown and not kept comes back where a query ranks it among its first three. */
const comesBack = 3

/** A text that was searched, and what came of it. */
export interface Searched {
  readonly text: string
  /** How many documents of it are shown that were not shown before. */
  readonly found: number
  /** Its words that none of the documents that it found has. */
  readonly missing: readonly string[]
}

/**
 * What is kept, and behind it the first documents of each page, one of each among near copies.
 *
 * @param seen docids that were shown before
 * @param most how many documents of each page are shown
 */
export function chooseDocuments(
  kept: readonly Document[],
  pages: readonly Page[],
  { seen, most }: { readonly seen: ReadonlySet<string>; readonly most: number },
): { readonly documents: readonly Document[]; readonly searched: readonly Searched[] } {
  const documents = [...kept]
  const searched = pages.map((page) => {
    const end = documents.length + most
    let found = 0
    for (const [place, document] of page.documents.entries()) {
      if (documents.length === end) break
      const isNew = !seen.has(document.docid)
      if ((!isNew && place >= comesBack) || documents.some((other) => isCopy(other, document))) continue
      documents.push(document)
      if (isNew) found++
    }
    return { text: page.text, found, missing: missingWords(page) }
  })
  return { documents, searched }
}

const analyze = analyzer()
/** Names, numbers and long words. Of others, the first documents of a search say nothing. */
const isTelling = /^\p{Lu}|\d|[\p{L}]{5}/u

/** The words that no document has, as far as a search tells: one that had them would be among the first. */
function missingWords({ text, documents }: Page): readonly string[] {
  if (documents.length === 0) return []
  const known = new Set(documents.flatMap(({ title = '', text }) => analyze(`${title} ${text}`)))
  const words = new Set(text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu))
  return [...words].filter((word) => {
    const tokens = isTelling.test(word) ? analyze(word) : []
    return tokens.length > 0 && !tokens.some((token) => known.has(token))
  })
}

/** How much of the shorter text the other one must have to be its copy: 9 of 10 runs of three words. */
const leastShared = 0.9

function isCopy(one: Document, other: Document): boolean {
  if (one.docid === other.docid) return true
  if (searchKey(one.title ?? '') !== searchKey(other.title ?? '')) return false
  const [short, long] = [runsIn(one.text), runsIn(other.text)].sort((a, b) => a.size - b.size)
  const shared = [...short!].filter((run) => long!.has(run))
  return shared.length > 0 && shared.length >= leastShared * short!.size
}

function runsIn(text: string): ReadonlySet<string> {
  const words = searchKey(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(
    words.slice(0, Math.max(1, words.length - 2)).map((_, at) => words.slice(at, at + 3).join(' ')),
  )
}
