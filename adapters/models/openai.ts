/**
 * Chat and embeddings on any server that speaks OpenAI's protocol: OpenAI, vLLM, Ollama, llama.cpp and others.
 *
 *     openaiChat({ baseUrl: 'http://localhost:11434/v1', model: 'qwen3' })
 */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { isQuerentError, QuerentError } from '../../src/errors.ts'
import { cut } from '../../src/text/cut.ts'
import { thoughtTags } from '../../src/text/special-tokens.ts'
import type { ChatModel, CompleteOptions, Embedder, Message } from '../../src/types.ts'
import { createBreaker, noBreaker, type Verdict } from '../resilience/breaker.ts'
import { fieldsOf } from '../resilience/retry-after.ts'
import { fromEnvironment } from './environment.ts'
import { identityOf } from './identity.ts'
import { type Instructions, instruct, instructionsShape, instructionsSuffix } from './instructions.ts'
import {
  type OpenAIRequest,
  type OpenAIServer,
  type OpenAIServerOptions,
  openaiServer,
  serverShape,
} from './openai-server.ts'
import { createRefusals } from './refusals.ts'
import { unitVector } from './unit-vector.ts'

export interface OpenAIChatOptions extends OpenAIServerOptions {
  /** Default: `QUERENT_CHAT_MODEL`. */
  readonly model?: string
  /** Default: the server's. */
  readonly temperature?: number
  /** Nucleus sampling, above 0 and at most 1. Default: the server's. */
  readonly topP?: number
  /**
   * Maximum number of tokens in an answer, thoughts included. Default: what a prompt asks for, and eight times as many from the first
   * answer on that ends before it is complete.
   */
  readonly maxTokens?: number
  /** Texts that end an answer, in place of a prompt's. An empty list: none does. Default: the prompt's. */
  readonly stop?: readonly string[]
  /** Default: 1. The wait before it is half a second, so both attempts fit into a deadline of 3 s. */
  readonly retries?: number
  /**
   * `false` asks whatever happened before, for evaluations and trainings, to which each answer counts. By default nothing is asked for
   * 5 seconds after five failures in a row (no connection, a deadline, 408, 429, 5xx). Then one call tests whether the server is back.
   */
  readonly breaker?: false
}

export interface OpenAIEmbedderOptions extends OpenAIServerOptions, Instructions {
  /** Default: `QUERENT_EMBED_MODEL`. */
  readonly model?: string
  /** The length to which the server shortens its vectors. Default: the model's own length, determined by embedding a word. */
  readonly dimensions?: number
  /** Texts in one request. Default: 64. */
  readonly batchSize?: number
  /** Cuts each text after this many characters, because many servers refuse longer texts. Default: texts are not cut. */
  readonly maxCharacters?: number
  /** Default: 4, half a second to 8 seconds apart. */
  readonly retries?: number
}

const chatOptions = z.strictObject({
  ...serverShape,
  model: z.string().min(1).optional(),
  temperature: z.number().min(0).optional(),
  topP: z.number().positive().max(1).optional(),
  maxTokens: z.int().positive().optional(),
  stop: z.array(z.string().min(1)).optional(),
  breaker: z.literal(false).optional(),
})

/** How much longer an answer may be whose model needs room to think. */
const roomToThink = 8

/** Five in a row: more than 0.8 of five. */
const breakerSettings = { ratio: 0.8, attempts: 5, halfOpenAfter: 5000 }

const embedderOptions = z.strictObject({
  ...serverShape,
  ...instructionsShape,
  model: z.string().min(1).optional(),
  dimensions: z.int().positive().optional(),
  batchSize: z.int().positive().optional(),
  maxCharacters: z.int().positive().optional(),
})

const usage = z
  .object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() })
  .nullish()
/** Some servers write a list of parts. Those of thoughts have no `text`. */
const parts = z
  .array(z.object({ text: z.string().nullish() }))
  .transform((list) => list.map(({ text }) => text ?? '').join(''))
const content = z.union([z.string(), parts]).nullish()
const message = z.object({ content, refusal: z.string().nullish() })
const chatAnswer = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), message })).min(1),
  usage,
})
/** A chunk of a streamed answer. The last chunk has the usage and no choice, and those that only keep the connection have nothing. */
const chatChunk = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), delta: message.nullish() })).nullish(),
  usage,
})

const embeddingAnswer = z.object({
  data: z.array(z.object({ index: z.int().nullish(), embedding: z.array(z.number()) })),
})

/**
 * Makes a chat model. What is set here wins over what prompts ask for. A parameter that the model refuses is left out from then on.
 * With `onText` the answer is streamed. Rejects with `chat-failed` or `rate-limited` if the server fails; with `unavailable` if it failed so
 * often that nothing was sent; with `bad-completion`
 * if the answer is empty, refused, filtered or cut off; with `deadline` after the timeout; with `aborted` if the caller's signal aborts.
 *
 * @throws QuerentError `bad-config`, `missing-key`
 */
export function openaiChat(options: OpenAIChatOptions = {}): ChatModel {
  parseConfig(chatOptions, options, 'openaiChat')
  const name = modelName(options.model, 'QUERENT_CHAT_MODEL')
  const server = openaiServer(options, 1)
  const what = `Chat model "${name}"`
  const { temperature, topP, maxTokens, stop, headers } = options
  const refusals = createRefusals(maxTokens === undefined)
  const breaker = options.breaker === false ? noBreaker : createBreaker(what, breakerSettings)
  /** How many times what a prompt asks for an answer may take. 1 for good after an answer that was cut off even so. */
  let room: number | undefined

  async function askOnce(
    messages: readonly Message[],
    given: CompleteOptions,
    times: number,
  ): Promise<z.output<typeof chatAnswer>> {
    const { signal, onText } = given
    const limit = maxTokens ?? (given.maxTokens && given.maxTokens * times)
    const ends = stop ?? given.stop
    // OpenAI's newer models refuse `max_tokens`. Most other servers know only `max_tokens`.
    const isNew = refusals.has(server.official ? 'max_completion_tokens' : 'max_tokens') !== server.official
    const body = refusals.without({
      model: name,
      messages,
      temperature: temperature ?? given.temperature,
      top_p: topP ?? given.topP,
      stop: ends?.length === 0 ? undefined : ends,
      [isNew ? 'max_completion_tokens' : 'max_tokens']: limit,
      ...(onText && { stream: true, stream_options: { include_usage: true } }),
    })
    const request = { what, signal, failure: 'chat-failed' as const, path: '/chat/completions', body }
    try {
      if (onText !== undefined && body.stream === true) return await streamed(server, request, onText)
      const answer = await server.call({ ...request, schema: chatAnswer })
      onText?.(answer.choices[0]!.message.content ?? '')
      return answer
    } catch (error) {
      if (refusals.learn(error, body)) return askOnce(messages, given, times)
      throw error
    }
  }

  /** Asks once more with room to think where an answer was cut off of which the caller has nothing yet. */
  async function ask(
    messages: readonly Message[],
    given: CompleteOptions,
  ): Promise<z.output<typeof chatAnswer>> {
    const first = await askOnce(messages, given, room ?? 1)
    const isFixed = maxTokens !== undefined || given.maxTokens === undefined || room !== undefined
    const [{ message, finish_reason: reason }] = first.choices as [(typeof first.choices)[number]]
    const said = message.content?.trim().toLowerCase() ?? ''
    const isSent =
      given.onText !== undefined &&
      said !== '' &&
      !thoughtTags.some(([opening, closing]) => said.startsWith(opening) && !said.includes(closing))
    if (reason !== 'length' || isFixed) return first
    if (isSent) {
      // Too late for this answer. Whether it was thoughts is unknown: the next ones have room for them.
      room = roomToThink
      return first
    }
    const second = await askOnce(messages, given, roomToThink)
    room = second.choices[0]!.finish_reason === 'length' ? 1 : roomToThink
    return { ...second, usage: sumOf(first.usage, second.usage) }
  }

  return {
    name,
    identity: identityOf({ url: server.url, headers, temperature, topP, maxTokens, stop }),
    async complete(messages, given = {}) {
      const { choices, usage } = await breaker.run(() => ask(messages, given), verdictOn).catch(withReason)
      const { message, finish_reason: reason } = choices[0]!
      const trouble = troubleWith(message, reason)
      if (trouble !== undefined) {
        throw new QuerentError('bad-completion', `${what} ${trouble}`, {
          remedy: 'Another model, another prompt or more `maxTokens` (`--set maxTokens=16000`) may help.',
        })
      }
      return {
        text: message.content!,
        tokens: { prompt: usage?.prompt_tokens ?? 0, completion: usage?.completion_tokens ?? 0 },
      }
    },
  }
}

/** What a failed call says about the server. A caller that aborted says nothing, but for the deadline of its prompt or its search. */
function verdictOn(error: unknown): Verdict {
  if (!isQuerentError(error)) return 'unknown'
  const { code, cause } = error
  if (code === 'aborted') return isQuerentError(cause, 'deadline') ? 'failed' : 'unknown'
  if (code !== 'chat-failed') return 'failed'
  if (cause instanceof z.ZodError || cause instanceof SyntaxError) return 'answered'
  const { status } = fieldsOf(cause)
  return typeof status !== 'number' || status === 408 || status >= 500 ? 'failed' : 'answered'
}

/** Rethrows an error. That of the open breaker tells what the server did, because traces keep no causes. */
function withReason(error: unknown): never {
  if (!isQuerentError(error, 'unavailable')) throw error
  const { what, cause, retryAfter = 0 } = error
  const reason = isQuerentError(cause, 'aborted') ? cause.cause : cause
  throw new QuerentError('unavailable', `${what} (${(reason as QuerentError).what})`, { cause, retryAfter })
}

type Usage = z.output<typeof usage>

/** What two answers took. */
const sumOf = (one: Usage, other: Usage): Usage => ({
  prompt_tokens: (one?.prompt_tokens ?? 0) + (other?.prompt_tokens ?? 0),
  completion_tokens: (one?.completion_tokens ?? 0) + (other?.completion_tokens ?? 0),
})

/**
 * Assembles the answer from its chunks, and passes each chunk on as it comes. A stream is complete that says why it ends, what it took,
 * or that it is done: each of the three is missing on some servers.
 *
 * @throws QuerentError `chat-failed` if it ends early
 */
async function streamed(
  server: OpenAIServer,
  request: Omit<OpenAIRequest<unknown>, 'schema'>,
  onText: (piece: string) => void,
): Promise<z.output<typeof chatAnswer>> {
  let [content, refusal] = ['', '']
  let reason: string | null | undefined
  let used: z.output<typeof usage>
  const isDone = await server.stream({ ...request, schema: chatChunk }, ({ choices, usage: counted }) => {
    used = counted ?? used
    const [choice] = choices ?? []
    if (choice === undefined) return
    if (choice.finish_reason) reason = choice.finish_reason
    refusal += choice.delta?.refusal ?? ''
    const piece = choice.delta?.content ?? ''
    content += piece
    if (piece !== '') onText(piece)
  })
  if (reason === undefined && used === undefined && !isDone)
    throw new QuerentError('chat-failed', `${request.what} ended its answer early`)
  const message = { content, ...(refusal !== '' && { refusal }) }
  return { choices: [{ message, finish_reason: reason }], usage: used }
}

/**
 * Makes an embedder. Scales vectors to length 1, whatever the server returns. Rejects with `embed-failed`, `deadline` or
 * `aborted`, as `openaiChat` does. Without the option `dimensions`, this function sends the first request.
 *
 * @throws QuerentError `bad-config`, `missing-key`
 */
export async function openaiEmbedder(options: OpenAIEmbedderOptions = {}): Promise<Embedder> {
  parseConfig(embedderOptions, options, 'openaiEmbedder')
  const { batchSize = 64, maxCharacters, queryPrefix, headers } = options
  const model = modelName(options.model, 'QUERENT_EMBED_MODEL')
  const server = openaiServer(options, 4)
  const what = `Embedding model "${model}"`

  async function request(input: readonly string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { data } = await server.call({
      what,
      failure: 'embed-failed',
      path: '/embeddings',
      // Some servers send numbers even if the request asks for base64.
      body: { model, input, dimensions: options.dimensions, encoding_format: 'float' },
      schema: embeddingAnswer,
      signal,
    })
    const vectors = new Map(data.map(({ index, embedding }, at) => [index ?? at, unitVector(embedding)]))
    return input.map((_, at) => {
      const vector = vectors.get(at)
      if (vector !== undefined) return vector
      throw new QuerentError('embed-failed', `${what} gave no vector for text ${at + 1} of ${input.length}`)
    })
  }

  const dimensions = options.dimensions ?? (await request(['dimensions'], undefined))[0]!.length

  return {
    name: `openai:${model}${instructionsSuffix(options)}`,
    identity: identityOf({ url: server.url, headers, queryPrefix, maxCharacters }),
    dimensions,
    async embed(texts, { kind, signal }) {
      const vectors: Float32Array[] = []
      for (let first = 0; first < texts.length; first += batchSize) {
        const batch = texts.slice(first, first + batchSize)
        const input = batch.map((text) => cutInput(instruct(text, kind, options), maxCharacters))
        for (const vector of await request(input, signal)) {
          if (vector.length !== dimensions) {
            throw new QuerentError(
              'embed-failed',
              `${what} gave ${vector.length} dimensions instead of ${dimensions}`,
            )
          }
          vectors.push(vector)
        }
      }
      return vectors
    },
  }
}

function modelName(option: string | undefined, variable: string): string {
  const name = option ?? fromEnvironment(variable)
  if (name !== undefined) return name
  throw new QuerentError('bad-config', 'No model is named', { remedy: `Pass \`model\` or set ${variable}.` })
}

/** Why an answer cannot be used. `undefined` if it can. */
function troubleWith(
  { content, refusal }: z.infer<typeof chatAnswer>['choices'][number]['message'],
  reason: string | null | undefined,
): string | undefined {
  if (refusal) return `refused: ${refusal}`
  if (reason === 'content_filter') return 'was stopped by a content filter'
  if (reason === 'length') return 'was cut off: the answer is longer than it may be'
  return content?.trim() ? undefined : 'gave an empty answer'
}

/** The first characters of a text. OpenAI's own server refuses an empty one. */
const cutInput = (text: string, maxCharacters = Infinity): string => cut(text, maxCharacters) || ' '
