/**
 * The packages of Searchkit have types that are wrong for Node's modules, and the connectors of InstantSearch have none for Node.
 * These are the parts that the examples and tests use.
 */
declare module '@searchkit/api' {
  type Facet = { readonly attribute: string; readonly field: string; readonly type: 'string' | 'numeric' }
  interface Settings {
    readonly connection: { readonly host: string }
    readonly search_settings: {
      readonly search_attributes: readonly string[]
      readonly result_attributes: readonly string[]
      readonly highlight_attributes?: readonly string[]
      readonly facet_attributes?: readonly Facet[]
    }
  }
  type Requests = readonly { readonly body: object }[]
  interface RequestOptions {
    readonly getQuery?: (query: string, fields: readonly string[]) => object
    readonly hooks?: { readonly beforeSearch?: (requests: Requests) => Promise<Requests> }
  }
  function createClient(settings: Settings): {
    handleRequest(
      requests: unknown,
      options?: RequestOptions,
    ): Promise<{ readonly results: readonly object[] }>
  }
  export = createClient
}

declare module '@searchkit/instantsearch-client' {
  function createClient(options: { readonly url: string }): {
    search(requests: readonly object[]): Promise<{ readonly results: readonly object[] }>
  }
  export = createClient
}

declare module 'instantsearch.js/cjs/connectors/index.js' {
  type Connect<Shown> = (
    render: (shown: Shown) => void,
  ) => (options: object) => import('instantsearch.js').Widget
  export interface Shown {
    readonly search: { refine(words: string): void }
    readonly hits: { readonly items: readonly { readonly objectID: string; readonly kind: string }[] }
    readonly facets: {
      readonly items: readonly { readonly value: string; readonly count: number }[]
      refine(value: string): void
    }
    readonly pages: { readonly nbHits: number; readonly nbPages: number; refine(page: number): void }
  }
  export const connectSearchBox: Connect<Shown['search']>
  export const connectHits: Connect<Shown['hits']>
  export const connectRefinementList: Connect<Shown['facets']>
  export const connectPagination: Connect<Shown['pages']>
}
