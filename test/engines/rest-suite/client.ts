/** What the suite's calls go through: one address, connections that are kept, and answers as they came. */
import { parse } from 'lossless-json'
import { Pool } from 'undici'
import { readYaml } from './yaml.ts'

interface Sent {
  readonly method: string
  /** With its parameters. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Answer {
  readonly method: string
  readonly status: number
  /** Undefined where it was neither JSON nor YAML. */
  readonly parsed: unknown
  readonly text: string
  readonly warnings: readonly string[]
  /** What the proxy says of it; undefined where it says nothing. */
  readonly said: string | undefined
}

export interface Client {
  send(sent: Sent): Promise<Answer>
  close(): Promise<void>
}

/** @param url of an engine, or of a proxy before it */
export function connect(url: string): Client {
  const pool = new Pool(url, { connections: 4, headersTimeout: 120_000 })
  return {
    async send({ method, path, headers = {}, body }) {
      const {
        statusCode,
        headers: got,
        body: stream,
      } = await pool.request({
        method: method as 'GET',
        path,
        // In a header alone: bodies are what is compared.
        headers: { 'x-querent-explain': 'header', ...headers },
        body: body ?? null,
      })
      const text = await stream.text()
      const one = (name: string): string => String(got[name] ?? '')
      return {
        method,
        status: statusCode,
        text,
        parsed: text === '' ? undefined : parsed(text, one('content-type')),
        warnings: [got.warning ?? []].flat(),
        said: got['x-querent'] === undefined ? undefined : one('x-querent'),
      }
    },
    close: () => pool.close(),
  }
}

function parsed(text: string, type: string): unknown {
  if (type.startsWith('application/json')) return parse(text)
  return type.startsWith('application/yaml') ? readYaml(text)[0] : undefined
}
