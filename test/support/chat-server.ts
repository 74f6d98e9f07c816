/** A server of OpenAI's protocol on loopback that says what a test wants it to, and remembers what it was asked. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { deferred } from './held.ts'
import { startLoopbackServer } from './loopback-server.ts'
import { waitingList } from './waiting-list.ts'

export interface SeenRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

/** `hang`: never answers. A string is sent as it is. `after`: answers once that has happened. */
export type Reply = 'hang' | ChatAnswer

export interface ChatAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  readonly after?: Promise<unknown>
}

export interface ScriptedServer {
  /** Base URL, with `/v1`. */
  readonly url: string
  readonly requests: readonly SeenRequest[]
  /** Resolves when that many requests have come, from 1. */
  arrived(count: number): Promise<void>
  /** Resolves when a client has gone without waiting for its answer. */
  readonly abandoned: Promise<void>
  close(): Promise<void>
}

/** Starts a server. A list of replies is used up in order; a request beyond it gets 500. */
export async function startChatServer(
  script: readonly Reply[] | ((request: SeenRequest) => Reply),
): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  const { until, tell } = waitingList()
  const beyond: Reply = { status: 500, body: { error: { message: 'the script is over' } } }
  const abandoned = deferred()
  const { url, close } = await startLoopbackServer(async (request, response) => {
    response.on('close', () => response.writableFinished || abandoned.resolve())
    const body = (await json(request)) as SeenRequest['body']
    const seen = { path: request.url ?? '', headers: request.headers, body }
    requests.push(seen)
    tell()
    await send(
      response,
      typeof script === 'function' ? script(seen) : (script[requests.length - 1] ?? beyond),
    )
  })

  return {
    url: `${url}/v1`,
    requests,
    arrived: (count) => until(() => requests.length >= count),
    abandoned: abandoned.promise,
    close,
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply === 'hang') return
  const { status = 200, headers = {}, body, after } = reply
  await after
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A whole answer of a chat server; `choice` and `message` replace parts of it. */
export function completion(
  content: string | null,
  {
    choice = {},
    message = {},
  }: Partial<Record<'choice' | 'message', Readonly<Record<string, unknown>>>> = {},
): ChatAnswer {
  return {
    body: {
      id: 'completion-1',
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [
        { index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop', ...choice },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 },
    },
  }
}

/** The same, streamed: one chunk for each piece, then one with the reason for its end and one with the usage. */
export function streamedCompletion(pieces: readonly string[], reason = 'stop'): Reply {
  const chunk = (choices: readonly object[], more = {}) => ({
    id: 'completion-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices,
    ...more,
  })
  const chunks = [
    chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
    ...pieces.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: reason }]),
    chunk([], { usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } }),
  ]
  const lines = [...chunks.map((one) => JSON.stringify(one)), '[DONE]']
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: lines.map((line) => `data: ${line}\n\n`).join(''),
  }
}

/** An answer with one vector a text, in the order given. */
export function embeddings(vectors: readonly (readonly number[])[]): Reply {
  return {
    body: {
      object: 'list',
      model: 'scripted',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: 1, total_tokens: 1 },
    },
  }
}

/** An error as OpenAI's server words it. `retry-after-ms` keeps clients that retry from waiting. */
export function failure(status: number, message: string): Reply {
  return {
    status,
    headers: { 'retry-after-ms': '0' },
    body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
  }
}
