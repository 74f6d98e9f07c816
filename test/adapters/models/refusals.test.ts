import { expect, it, onTestFinished } from 'vitest'
import { openaiChat } from '../../../adapters/models/openai.ts'
import {
  completion,
  failure,
  type Reply,
  startChatServer,
  streamedCompletion,
} from '../../support/chat-server.ts'
import { expectError } from '../../support/expect-error.ts'

const messages = [{ role: 'user', content: 'where?' }] as const

/** A server that answers requests with one of these parameters so, and all others well. */
async function refusing(replies: Readonly<Record<string, Reply>>) {
  const server = await startChatServer(({ body }) => {
    const name = Object.keys(replies).find((one) => body[one] !== undefined)
    if (name !== undefined) return replies[name]!
    return body.stream === true ? streamedCompletion(['Lyon']) : completion('Lyon')
  })
  onTestFinished(() => server.close())
  return server
}

const refusal = (param: string, code = 'unsupported_parameter'): Reply => ({
  status: 400,
  body: { error: { message: 'It cannot be set here.', param, code } },
})
const asked = { temperature: 0, topP: 0.5, maxTokens: 9, stop: ['\n'] }

it('leaves out what is refused, one after the other, and remembers it', async () => {
  const server = await refusing({
    temperature: refusal('temperature', 'unsupported_value'),
    top_p: refusal('top_p'),
    stop: refusal('stop'),
    max_tokens: refusal('max_tokens'),
  })
  const chat = openaiChat({ baseUrl: server.url, model: 'm', temperature: 1 })
  for (const _ of [1, 2]) expect((await chat.complete(messages, asked)).text).toBe('Lyon')
  expect(server.requests).toHaveLength(6)
  expect(server.requests.at(-1)!.body).toEqual({ model: 'm', messages, max_completion_tokens: 9 })
})

it.each<[string, Reply]>([
  ['in words', failure(400, "Unsupported value: 'temperature' does not support 0 with this model.")],
  ['as a text', { status: 400, body: { error: 'unknown parameter: temperature' } }],
  ['without `error`', { status: 400, body: { object: 'error', message: 'temperature is not supported' } }],
  [
    'by a place',
    {
      status: 422,
      body: { detail: [{ loc: ['body', 'temperature'], msg: 'Extra inputs are not permitted' }] },
    },
  ],
])('knows a refusal %s', async (_, reply) => {
  const server = await refusing({ temperature: reply })
  expect((await openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, asked)).text).toBe('Lyon')
  expect(server.requests).toHaveLength(2)
})

it('streams in spite of a refusal', async () => {
  const server = await refusing({
    stream_options: refusal('stream_options'),
    temperature: refusal('temperature'),
  })
  let sent = ''
  const chat = openaiChat({ baseUrl: server.url, model: 'm' })
  await chat.complete(messages, { temperature: 0, onText: (piece) => (sent += piece) })
  expect(sent).toBe('Lyon')
})

it.each(['only 1 is allowed for this model', '`temperature` and `top_p` cannot both be specified'])(
  'knows a refusal of other servers: %s',
  async (said) => {
    const server = await refusing({ temperature: failure(400, `invalid temperature: ${said}`) })
    expect((await openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, asked)).text).toBe(
      'Lyon',
    )
  },
)

it.each([
  "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
  'System role not supported',
])('puts a message of the system into that of the user: %s', async (said) => {
  const server = await startChatServer(({ body }) =>
    (body.messages as readonly { readonly role: string }[])[0]!.role === 'system'
      ? failure(400, said)
      : completion('Lyon'),
  )
  onTestFinished(() => server.close())
  const chat = openaiChat({ baseUrl: server.url, model: 'm' })
  const both = [{ role: 'system', content: 'Say where.' }, ...messages] as const
  for (const _ of [1, 2]) expect((await chat.complete(both)).text).toBe('Lyon')
  expect(server.requests.map(({ body }) => (body.messages as readonly unknown[]).length)).toEqual([2, 1, 1])
  expect(server.requests[1]!.body.messages).toEqual([{ role: 'user', content: 'Say where.\n\nwhere?' }])
})

it('asks without a stream where it is refused, and passes on the answer whole', async () => {
  const said = {
    message: 'Your organization must be verified to stream this model.',
    param: 'stream',
    code: 'unsupported_value',
  }
  const server = await refusing({ stream: { status: 400, body: { error: said } } })
  const pieces: string[] = []
  await openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, {
    onText: (piece) => pieces.push(piece),
  })
  expect(pieces).toEqual(['Lyon'])
})

it.each([
  "'max_tokens' or 'max_completion_tokens' is too large: 9. This model's maximum context length is 8 tokens.",
  "This model's maximum context length is 8 tokens. However, you requested 9 output tokens.",
])('leaves out a number of tokens that is too large, but not the user’s: %s', async (said) => {
  const server = await refusing({ max_tokens: failure(400, said), max_completion_tokens: failure(400, said) })
  expect((await openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, asked)).text).toBe('Lyon')
  const own = openaiChat({ baseUrl: server.url, model: 'm', maxTokens: 9 }).complete(messages)
  await expectError(own, 'chat-failed', 'context length')
})

it.each<[string, Reply]>([
  ['of a value', failure(400, "'temperature' must be between 0 and 2")],
  ['that names nothing', failure(400, 'the model does not support this')],
  ['of a parameter that was not sent', refusal('seed')],
])('does not ask again after an error %s', async (_, reply) => {
  const server = await refusing({ temperature: reply })
  const failed = openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, asked)
  await expectError(failed, 'chat-failed')
  expect(server.requests).toHaveLength(1)
})

it('gives up where everything is refused', async () => {
  const server = await refusing({ model: failure(400, 'unknown: temperature, top_p, stop, max_tokens') })
  const failed = openaiChat({ baseUrl: server.url, model: 'm' }).complete(messages, asked)
  await expectError(failed, 'chat-failed')
  expect(server.requests.length).toBeLessThan(8)
})
