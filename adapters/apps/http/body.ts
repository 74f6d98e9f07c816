/** Reads a JSON body within a limit. */
import { problem, problemResponse } from './problem.ts'

/**
 * Parses a JSON body of at most `limit` bytes. Rejects a larger body as soon as its size is known.
 *
 * @throws Response 400, 413 or 415; the error of reading the body, for example if the client has disconnected
 */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  const { headers } = request
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw problemResponse(problem('wrong-type', `The body is ${type ?? 'of no type'}`))
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity')
    throw problemResponse(problem('wrong-type', `The body is encoded as ${encoding}`))
  const chunks = await readChunks(request, limit)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
    return JSON.parse(text + decoder.decode())
  } catch (thrown) {
    const { message } = thrown as Error
    throw problemResponse(
      problem('bad-request', `The body is not JSON: ${message}`, [{ pointer: '#', detail: message }]),
    )
  }
}

async function readChunks({ headers, body }: Request, limit: number): Promise<readonly Uint8Array[]> {
  const tooLarge = (): Response =>
    problemResponse(problem('too-large', `The body is larger than ${limit} bytes`))
  if (Number(headers.get('content-length')) > limit) throw tooLarge()
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const chunk = (await reader?.read())?.value as Uint8Array | undefined
    if (chunk === undefined) return chunks
    size += chunk.length
    if (size > limit) {
      void reader?.cancel().catch(() => {})
      throw tooLarge()
    }
    chunks.push(chunk)
  }
}
