/** The API that InstantSearch asks, with Searchkit before the proxy. */
import createClient from '@searchkit/api'

export function createSearchApi(proxy: string) {
  const searchkit = createClient({
    connection: { host: proxy },
    search_settings: {
      search_attributes: ['title', 'text'],
      result_attributes: ['title', 'kind'],
      highlight_attributes: ['title'],
      facet_attributes: [{ attribute: 'kind', field: 'kind', type: 'string' }],
    },
  })
  // Searchkit's own query matches half-typed words and passes through. This one is optimized.
  const getQuery = (query: string, fields: readonly string[]) => ({ multi_match: { query, fields } })
  return (requests: unknown) => searchkit.handleRequest(requests, { getQuery })
}
