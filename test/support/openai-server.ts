import { createHash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import {
  completion,
  embeddings,
  failure,
  type Reply,
  type SeenRequest,
  startChatServer,
} from './chat-server.ts'

export interface OpenAIScript {
  /** Answers a chat request whose last message is `question`; a number is the status of a failure. */
  readonly chat?: (question: string) => string | number
  /** Called when texts have come to be embedded; they are answered when it resolves. */
  readonly beforeEmbedding?: (texts: readonly string[]) => Promise<void> | void
}

export interface OpenAIServer {
  /** As `OPENAI_BASE_URL` takes it. */
  readonly url: string
  /** Every text whose vector was sent, in order. */
  readonly embedded: readonly string[]
}

/** A chat and embedding server for whole commands, closed when the test is over. */
export async function startOpenAIServer({ chat, beforeEmbedding }: OpenAIScript): Promise<OpenAIServer> {
  const embedded: string[] = []

  function answer({ path, body }: SeenRequest): Reply {
    if (path.endsWith('/embeddings')) {
      const texts = [body.input].flat() as string[]
      const ready = Promise.resolve(beforeEmbedding?.(texts)).then(() => embedded.push(...texts))
      return { ...(embeddings(texts.map(vectorOf)) as Exclude<Reply, 'hang'>), after: ready }
    }
    const messages = body.messages as readonly { readonly content: string }[]
    const said = chat?.(messages.at(-1)!.content) ?? 404
    return typeof said === 'number' ? failure(said, 'scripted failure') : completion(said)
  }

  const server = await startChatServer(answer)
  onTestFinished(() => server.close())
  return { url: server.url, embedded }
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
