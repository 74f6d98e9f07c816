/** Rounds of reading: texts are searched, and their documents are read. */
import { refersElsewhere } from '../../src/completion/refers.ts'
import { searchKey, withFewNew } from '../../src/dedupe.ts'
import type { Document, Leg } from '../../src/types.ts'
import type { RerankedTools } from '../../src/with-rerank.ts'

export interface Reading {
  /** The legs of all rounds so far. */
  readonly legs: readonly Leg[]
  /**
   * Searches the texts in one round. Returns the best documents of each text, in the order of the texts: as its own lists are fused, or, in
   * a policy that is re-ranked, as the re-ranker orders them for this text. A text that was read before
   * gives its next documents. Documents without a text are left out. Texts for which the budget has no room find nothing, and so do those
   * that speak of "that city": they are not searched.
   *
   * @param each how many documents of each text
   * @param reason for the trace
   * @throws the error of the first round, if nothing has been found yet. Later rounds that fail find nothing.
   */
  search(
    texts: readonly string[],
    each: readonly number[],
    reason: string,
  ): Promise<readonly (readonly Document[])[]>
}

/**
 * The reading of one search.
 *
 * @param original the text of the query, which the search has searched already
 */
export function reading(tools: RerankedTools, original: string): Reading {
  const legs = new Set<Leg>()
  /** How many documents of a text were read, by search key. */
  const read = new Map<string, number>()

  async function retrieve(texts: readonly string[], reason: string): Promise<void> {
    const before = [original, ...Array.from(legs, ({ subQuery }) => subQuery.text)]
    const spent = new Set(before.map(searchKey)).size - 1
    const named = texts.filter((text) => !refersElsewhere(text, original))
    const searched = withFewNew(named, before, tools.budget.subQueries - spent)
    // Without texts, the original query would be searched.
    if (searched.length === 0) return
    const cut = searched.length < named.length ? `, ${searched.length} of them within the budget` : ''
    try {
      const subQueries = searched.map((text) => ({ text }))
      const found = await tools.retrieve(subQueries, { reason: `${reason}${cut}` })
      for (const leg of found) legs.add(leg)
    } catch (error) {
      if (legs.size === 0) throw error
    }
  }

  /** The docids of the next page of a text. */
  async function nextOf(text: string, count: number): Promise<string[]> {
    const key = searchKey(text)
    const own = [...legs].filter(({ subQuery, error }) => searchKey(subQuery.text) === key && !error)
    const from = read.get(key) ?? 0
    const k = from + count
    read.set(key, k)
    if (own.length === 0) return []
    const { reranker } = tools
    // The question may have a conversation, which the re-ranker knows.
    const question = key === searchKey(original) ? undefined : text
    const hits =
      reranker === undefined
        ? tools.fuse(own, { k })
        : await tools.rerank(reranker, tools.fuse(own), { question, texts: [text], k })
    return hits.slice(from).map(({ docid }) => docid)
  }

  return {
    get legs() {
      return [...legs]
    },
    async search(texts, each, reason) {
      await retrieve(texts, reason)
      const lists = await Promise.all(texts.map((text, place) => nextOf(text, each[place]!)))
      const documentOf = await tools.documents(lists.flat()).catch(() => () => undefined)
      return lists.map((docids) => docids.flatMap((docid) => documentOf(docid) ?? []))
    },
  }
}
