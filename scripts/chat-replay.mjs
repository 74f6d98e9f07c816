// @ts-check
/**
 * A chat server that answers with recorded rewrites, over real HTTP and in OpenAI's protocol, streamed or not.
 *
 *     node scripts/chat-replay.mjs [--port 0] [--delay MS] [--fail-every N] REWRITES.jsonl…
 *
 * A line of a file is {"qid": "q1", "text": "what was asked", "queries": ["what to search", "…"]}. A request is answered
 * with the queries of the recorded text that stands last in its last user message, as {"query": "first %% second"}, which
 * is what the ACQO prompt asks for. Nothing is made up: a message without a recorded text is answered with 404.
 *
 * The base URL is printed. GET /stats counts: {"requests", "answered", "unknown", "failed"}.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/** @typedef {{ readonly qid: string, readonly text: string, readonly queries: readonly string[] }} Recording */
/** @typedef {{ requests: number, answered: number, unknown: number, failed: number }} Stats */
/** @typedef {{ readonly status: number, readonly content: string }} Answer `content`: the completion, or what is wrong. */

/**
 * Starts a server on this machine.
 *
 * @param {object} options
 * @param {readonly string[]} options.files Recordings, as above.
 * @param {number} [options.port] Default: any that is free.
 * @param {number} [options.delay] Milliseconds before every answer. Default: 0.
 * @param {number} [options.failEvery] Every so many requests one is answered with 503. Default: none is.
 * @returns {Promise<{ readonly url: string, stats(): Stats, close(): Promise<void> }>} `url` is a base URL, with `/v1`.
 */
export async function startChatReplay({ files, port = 0, delay = 0, failEvery = 0 }) {
  const recordings = files.flatMap(readRecordings)
  const stats = { requests: 0, answered: 0, unknown: 0, failed: 0 }

  /** @type {(prompt: string) => Answer} */
  function answer(prompt) {
    stats.requests++
    if (failEvery > 0 && stats.requests % failEvery === 0) {
      stats.failed++
      return { status: 503, content: 'failing as scheduled' }
    }
    const recording = lastStanding(recordings, prompt)
    if (recording === undefined) {
      stats.unknown++
      return { status: 404, content: 'nothing is recorded for this prompt' }
    }
    stats.answered++
    return { status: 200, content: JSON.stringify({ query: recording.queries.join(' %% ') }) }
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    if (path === '/stats') return sendJson(response, 200, stats)
    if (path.endsWith('/models'))
      return sendJson(response, 200, { object: 'list', data: [{ id: 'replay', object: 'model' }] })
    if (!path.endsWith('/chat/completions')) return sendError(response, 404, `there is no ${path}`)
    const body = /** @type {any} */ (await json(request).catch(() => undefined))
    if (!Array.isArray(body?.messages))
      return sendError(response, 400, 'a JSON object with messages was expected')
    const prompt = textOf(body.messages.findLast((/** @type {any} */ { role }) => role === 'user')?.content)
    const { status, content } = answer(prompt)
    if (delay > 0) await sleep(delay)
    if (status !== 200) return sendError(response, status, content)
    const completion = { id: `replay-${stats.requests}`, created: 0, model: body.model ?? 'replay' }
    if (body.stream) sendStream(response, completion, content)
    else sendCompletion(response, completion, content, prompt)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())

  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    stats: () => ({ ...stats }),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** @type {(file: string) => Recording[]} */
function readRecordings(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const recording = JSON.parse(line)
    if (typeof recording.text === 'string' && recording.text !== '' && Array.isArray(recording.queries))
      return [recording]
    throw new Error(`${file}:${index + 1}: an object with "text" and "queries" was expected`)
  })
}

/**
 * The recording whose text ends last in the prompt, where the current question stands; of several that end there the
 * longest, since one question may be the end of another.
 *
 * @type {(recordings: readonly Recording[], prompt: string) => Recording | undefined}
 */
function lastStanding(recordings, prompt) {
  const places = recordings.map((recording) => {
    const start = prompt.lastIndexOf(recording.text)
    return { recording, end: start < 0 ? -1 : start + recording.text.length }
  })
  const found = places.filter(({ end }) => end >= 0)
  found.sort((a, b) => b.end - a.end || b.recording.text.length - a.recording.text.length)
  return found[0]?.recording
}

/**
 * The text of a message; its content may come in parts.
 *
 * @type {(content: unknown) => string}
 */
function textOf(content) {
  return Array.isArray(content) ? content.map(({ text = '' }) => text).join('\n') : String(content ?? '')
}

/** @typedef {import('node:http').ServerResponse} Response */

/** @type {(response: Response, status: number, body: unknown) => void} */
function sendJson(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** @type {(response: Response, status: number, message: string) => void} */
function sendError(response, status, message) {
  sendJson(response, status, { error: { message, type: 'replay', code: null } })
}

/** @type {(response: Response, completion: object, content: string, prompt: string) => void} */
function sendCompletion(response, completion, content, prompt) {
  // Nobody tokenizes here: four characters are about a token.
  const [prompt_tokens, completion_tokens] = [prompt, content].map((text) => Math.ceil(text.length / 4))
  sendJson(response, 200, {
    ...completion,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: {
      prompt_tokens,
      completion_tokens,
      total_tokens: Number(prompt_tokens) + Number(completion_tokens),
    },
  })
}

/** @type {(response: Response, completion: object, content: string) => void} */
function sendStream(response, completion, content) {
  const choices = [
    { index: 0, delta: { role: 'assistant', content }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: 'stop' },
  ]
  const events = choices.map((choice) =>
    JSON.stringify({ ...completion, object: 'chat.completion.chunk', choices: [choice] }),
  )
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end([...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join(''))
}

function readArguments() {
  const number = /** @type {const} */ ({ type: 'string' })
  const options = {
    port: number,
    delay: number,
    'fail-every': number,
    help: /** @type {const} */ ({ type: 'boolean' }),
  }
  const usage = 'Usage: node scripts/chat-replay.mjs [--port 0] [--delay MS] [--fail-every N] REWRITES.jsonl…'
  try {
    const given = parseArgs({ allowPositionals: true, options })
    if (given.values.help) {
      console.log(usage)
      process.exit(0)
    }
    if (given.positionals.length > 0) return given
    throw new Error('No file of recordings was given.')
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\n${usage}`)
    process.exit(2)
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals: files } = readArguments()
  const { url, close } = await startChatReplay({
    files,
    port: Number(values.port ?? 0),
    delay: Number(values.delay ?? 0),
    failEvery: Number(values['fail-every'] ?? 0),
  })
  console.log(url)
  process.once('SIGINT', close).once('SIGTERM', close)
}
