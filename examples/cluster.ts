/** Searches an index of a cluster directly, words and re-ranking together. */
import { createOptimizer } from 'querent'
import { localPolicy } from 'querent/policies/local'
import { elasticsearch } from 'querent/search'

export async function createArticleSearch(url: string) {
  const retriever = await elasticsearch({
    url, // 'http://127.0.0.1:9200'; or `client`, if you have one
    index: 'articles',
    fields: ['title^2', 'text'],
    filter: { term: { published: true } },
  })
  const retrievers = [retriever]
  return createOptimizer({ retrievers, ...(await localPolicy({ retrievers })) })
}
