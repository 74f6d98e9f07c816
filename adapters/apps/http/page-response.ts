/** The page as an answer. Its policy of content lets it run nothing but its own script, and reach nothing but its server. */

import type { Turn } from '../../../src/types.ts'

/** What the server tells the page: whether it searches, or shows the searches of a proxy. */
export type PageData = SearchingPage | { readonly kind: 'proxy' }

export interface SearchingPage {
  readonly kind: 'searching'
  /** The names of other optimizers, each of which can search beside the first. */
  readonly others: readonly string[]
  /** What is searched, if the page can say that, and questions about it. */
  readonly sample?: SampleOfPage
}

export interface SampleOfPage {
  readonly documents: number
  readonly questions: readonly SampleQuestion[]
}

export interface SampleQuestion {
  readonly text: string
  readonly history?: readonly Turn[]
  /** Whether the page suggests it before the first search, and as what. */
  readonly suggestedAs?: string
  /** The docids that the answer needs. */
  readonly needed: readonly string[]
}

export async function pageResponse(data: PageData): Promise<Response> {
  const { head, style, body, tail, script, foot, styleHash, scriptHash } = await import(
    '../../../src/built-page.ts'
  )
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHash}`,
    `style-src ${styleHash}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  // Text with `<` could end the element that holds the data.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return new Response([head, style, body, json, tail, script, foot].join(''), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}
