import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface OpenAIScript {
  /** Answers a chat request whose last message is `question`; a number is the status of a failure. */
  readonly chat?: (question: string) => string | number
  /** Called when texts have come to be embedded; they are answered when it resolves. */
  readonly beforeEmbedding?: (texts: readonly string[]) => Promise<void> | void
}

export interface ScriptedServer {
  /** As `OPENAI_BASE_URL` takes it. */
  readonly url: string
  /** Every text whose vector was sent, in order. */
  readonly embedded: readonly string[]
}

/** A real server on this machine that speaks OpenAI's protocol. It is closed when the test is over. */
export async function startOpenAIServer(script: OpenAIScript): Promise<ScriptedServer> {
  const embedded: string[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (request.url?.endsWith('/embeddings')) {
      const texts: string[] = [body.input].flat()
      await script.beforeEmbedding?.(texts)
      send(response, 200, { data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })) })
      embedded.push(...texts)
      return
    }
    const said = script.chat?.(body.messages.at(-1).content) ?? 404
    if (typeof said === 'number') send(response, said, { error: { message: 'scripted failure' } })
    else {
      const choices = [{ finish_reason: 'stop', message: { role: 'assistant', content: said } }]
      send(response, 200, { choices, usage: { prompt_tokens: 20, completion_tokens: 5 } })
    }
  }

  const server = createServer((request, response) => {
    // A client that was killed has hung up.
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, embedded }
}

/** 16 values that depend on the text's words alone: texts that share words are near. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(16).fill(0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const place = createHash('sha256').update(word).digest()[0]! % vector.length
    vector[place]! += 1
  }
  return vector
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
