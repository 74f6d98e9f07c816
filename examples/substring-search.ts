/** A retriever that counts how many words of the query a document contains, even inside longer words. */
import type { Hit, Retriever } from 'querent'
import { type BuildOptions, checkedDocuments, checkRequest, type Documents } from 'querent/search'

export async function substringSearch(documents: Documents, options: BuildOptions = {}): Promise<Retriever> {
  const name = 'substring'
  const texts = new Map<string, string>()
  for await (const { docid, title = '', text } of checkedDocuments(documents, options)) {
    texts.set(docid, `${title} ${text}`.toLowerCase())
  }

  function find(query: string, k: number): Hit[] {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))]
    const countIn = (text: string) => words.filter((word) => text.includes(word)).length
    return Array.from(texts, ([docid, text]) => ({ docid, score: countIn(text) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.docid < b.docid ? -1 : 1))
      .slice(0, k)
      .map((hit, index) => ({ ...hit, rank: index + 1 }))
  }

  return {
    name,
    async retrieve(subQueries, request) {
      checkRequest(name, request)
      return subQueries.map((subQuery) => {
        const hits = find(subQuery.text, request.k)
        return { retriever: name, subQuery, hits }
      })
    },
  }
}
