/** The context of SPARKLE's thoughts: the documents that its agents have chosen, and how they come by another one. */
import { searchKey } from '../../src/dedupe.ts'
import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Document, Embedder } from '../../src/types.ts'
import type { Reading } from '../reading/reading.ts'
import { candidatesOf } from './candidates.ts'
import type { Formulated } from './parse.ts'
import type { FormulateInput, IntegrateInput } from './prompts.ts'
import type { Triple, TripleStore } from './triples.ts'

/** How many documents a search finds, as in the paper, and how many a search before the first thought brings. */
const found = 10
const foundFirst = 5

interface ContextSettings {
  readonly question: string
  readonly tools: Tools
  readonly read: Reading
  readonly formulate: Prompt<FormulateInput, Formulated>
  readonly integrate: Prompt<IntegrateInput, readonly Triple[]>
  readonly triples: TripleStore
  readonly embedder: Embedder | undefined
}

export interface Context {
  readonly documents: readonly Document[]
  /** Whether an agent chose any of them. */
  readonly isChosen: boolean
  /** How many searches thoughts have led to. */
  readonly searches: number
  /** Takes the best documents of the question. */
  begin(): Promise<void>
  /** Searches for what the thoughts lack, and takes the document of one fact. A query that was searched before changes nothing. */
  extend(thoughts: readonly string[]): Promise<void>
}

export function createContext({
  question,
  tools,
  read,
  formulate,
  integrate,
  triples,
  embedder,
}: ContextSettings): Context {
  const documents = new Map<string, Document>()
  const searched = new Set<string>()
  let isChosen = false
  let searches = 0

  async function search(text: string, count: number, reason: string): Promise<readonly Document[]> {
    searched.add(searchKey(text))
    const [list = []] = await read.search([text], [count], reason)
    return list
  }

  const take = (document: Document): unknown => documents.set(document.docid, document)

  const known = new Map<string, readonly string[]>()
  return {
    get documents() {
      return [...documents.values()]
    },
    get isChosen() {
      return isChosen
    },
    get searches() {
      return searches
    },
    async begin() {
      const best = await search(question, foundFirst, 'the question, before the first thought')
      for (const document of best) take(document)
    },
    async extend(thoughts) {
      const formulated = await tools.ask(formulate, { question, thoughts }).catch(() => undefined)
      const { chain, query } = formulated ?? { chain: '', query: question }
      if (searched.has(searchKey(query))) return
      searches++
      const reason =
        formulated === undefined
          ? 'there is no query: searched the question'
          : `search ${searches}, after ${thoughts.length === 1 ? 'one thought' : `${thoughts.length} thoughts`}`
      const list = await search(query, found, reason)
      const candidates = await candidatesOf(query, list, { triples, embedder, known, signal: tools.signal })
      if (candidates.length === 0) return
      const chosen = await tools.ask(integrate, { question, chain, query, candidates }).catch(() => [])
      const sources = new Set(chosen.map(({ docid }) => docid))
      for (const document of list.filter(({ docid }) => sources.has(docid))) {
        isChosen = true
        take(document)
      }
    },
  }
}
