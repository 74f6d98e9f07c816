/** Servers for tests, closed when the test is over, and what clients see of their answers. */
import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { startLoopbackServer } from '../../../support/loopback-server.ts'
import { settled } from '../../../support/manual-clock.ts'

/** Sends a request to a path. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Serves on a free port. */
export async function served(listener: RequestListener): Promise<Send & { readonly url: string }> {
  const { url, close } = await startLoopbackServer(listener)
  onTestFinished(close)
  return Object.assign((path: string, init?: RequestInit) => fetch(`${url}${path}`, init), { url })
}

/** What a POST of this value needs. */
export const posted = (value: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  body: typeof value === 'string' ? value : JSON.stringify(value),
  headers: { 'content-type': 'application/json', ...headers },
})

/** Waits until that is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settled()
}

/** The lines of a stream, each as soon as it is there. */
export async function* linesOf(response: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield JSON.parse(line)
  }
  if (rest !== '') throw new Error(`the last line does not end: ${rest}`)
}
