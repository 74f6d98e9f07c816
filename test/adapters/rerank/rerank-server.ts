/** A server of `POST /rerank` on loopback. */
import { onTestFinished } from 'vitest'
import {
  type Reply,
  type ScriptedServer,
  type SeenRequest,
  startChatServer,
} from '../../support/chat-server.ts'

/** The texts of a request, in Cohere's protocol or in TEI's. */
export const textsOf = ({ body }: SeenRequest): readonly string[] =>
  (body.documents ?? body.texts) as readonly string[]

/** Answers as Cohere does: best first, each with its index. */
export const cohere =
  (scoreOf: (text: string) => unknown) =>
  (request: SeenRequest): Reply => ({
    body: {
      id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
      results: textsOf(request)
        .map((text, index) => ({ index, relevance_score: scoreOf(text) }))
        .sort((one, other) => Number(other.relevance_score) - Number(one.relevance_score)),
    },
  })

export async function startRerankServer(
  answer: readonly Reply[] | ((request: SeenRequest) => Reply),
): Promise<ScriptedServer> {
  const server = await startChatServer(answer)
  onTestFinished(() => server.close())
  return server
}
