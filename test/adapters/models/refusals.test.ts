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
