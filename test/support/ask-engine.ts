/** Asking a server a question in JSON. */
import { basic, type Credentials } from './engines.ts'

interface Asking {
  readonly body?: unknown
  readonly method?: string
  readonly as?: Credentials | undefined
}

export function ask(
  url: string,
  { body, method = body ? 'POST' : 'GET', as }: Asking = {},
): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(as && { authorization: basic(as) }) }
  return fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** Of all that the servers answer here, what is looked at. */
interface Answer {
  readonly version: { readonly number: string; readonly distribution?: string }
  readonly cluster_name: string
  readonly tokens: readonly { readonly token: string }[]
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _id: string }[]
  }
  readonly _shards: { readonly failed: number }
}

/** The answer's body; anything but a success throws. */
export async function json(url: string, asking: Asking = {}): Promise<Answer> {
  const response = await ask(url, asking)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}
