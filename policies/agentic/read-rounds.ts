/** The rounds of a search: in each, the model reads, and answers or says what to search next. */
import type { FullBudget } from '../../src/budget.ts'
import { bySearchKey, searchKey } from '../../src/dedupe.ts'
import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Document, Query } from '../../src/types.ts'
import { chooseDocuments, mostOf, type Searched } from './choose-documents.ts'
import type { Page } from './page.ts'
import type { Said } from './parse.ts'
import { type RoundInput, tokensOf } from './prompt.ts'

export interface Read {
  /** The pages of each round, the first one's that of the question. */
  readonly pages: readonly (readonly Page[])[]
  readonly answer: string | undefined
  /** Docids that the last completion named, and all that were ever kept. */
  readonly cited: readonly string[]
  readonly kept: readonly string[]
  readonly searched: readonly Searched[]
  readonly asks: number
  /** Why it ended. */
  readonly reason: string
}

interface Reading {
  readonly prompt: Prompt<RoundInput, Said>
  /** The most prompts. */
  readonly most: number
  /** Searches each text. `later`: how many rounds may follow. Never rejects. */
  readonly search: (texts: readonly string[], later: number) => Promise<readonly Page[]>
}

/** Never rejects: what was found stays, whatever ends the rounds. */
export async function readRounds(
  { text: question, history = [], intent }: Query,
  first: Page,
  { prompt, most, search }: Reading,
  tools: Tools,
): Promise<Read> {
  const pages: (readonly Page[])[] = [[first]]
  const kept = new Map<string, Document>()
  const seen = new Set<string>()
  let { documents, searched } = chooseDocuments([], [first], { most: mostOf([first], true), seen })
  let said: Said | undefined
  let cited: readonly string[] = []
  let used = { usd: 0, ms: 0 }
  const read = (asks: number, reason: string): Read => {
    const { answer } = said ?? {}
    return { pages, answer, cited, kept: [...kept.keys()], searched, asks, reason }
  }
  for (let asks = 1; ; asks++) {
    const before = tools.left()
    const asked = { question, history, intent, documents, searched }
    const isLast =
      asks === most || isSpent(before, used, tokensOf(prompt.render({ ...asked, isLast: false })))
    said = await tools.ask(prompt, { ...asked, isLast }).catch(() => undefined)
    if (said === undefined) return read(asks, 'the model failed')
    const { usd, timeout } = tools.left()
    used = { usd: before.usd - usd || 0, ms: before.timeout - timeout }
    const named = said.documents.map((number) => documents[number - 1]!)
    for (const document of named) kept.set(document.docid, document)
    cited = named.map(({ docid }) => docid)
    if (said.answer !== undefined) return read(asks, 'the documents tell the answer')
    const known = new Set(searched.map(({ text }) => searchKey(text)))
    const wanted = bySearchKey(said.queries.map((text) => ({ text })))
    const texts = [...wanted].flatMap(([key, { text }]) => (known.has(key) ? [] : text))
    if (texts.length === 0)
      return read(asks, tools.answers ? 'the documents do not tell the answer' : 'the documents were chosen')
    for (const { docid } of documents) seen.add(docid)
    const found = await search(texts, most - asks - 1)
    pages.push(found)
    const next = chooseDocuments([...kept.values()], found, { most: mostOf(found, false), seen })
    searched = [...searched, ...next.searched]
    if (next.documents.length === kept.size) return read(asks, 'further searches found nothing else')
    documents = next.documents
  }
}

/** Whether the budget allows no prompt after this one, which has so many tokens, if it takes what the last one used. */
const isSpent = (
  left: FullBudget,
  used: { readonly usd: number; readonly ms: number },
  tokens: number,
): boolean =>
  Math.min(left.rounds, left.subQueries) <= 0 ||
  left.tokens <= tokens ||
  left.usd <= used.usd ||
  left.timeout <= 2 * used.ms
