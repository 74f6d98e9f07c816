// @ts-check
/**
 * An engine in a process of its own that always answers at once, or after so many milliseconds as its argument says, with whole
 * lists of real texts: whoever calls it late is late itself. Started with `fork`, it sends its address.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const documents = readFileSync(new URL('../../src/sample/corpus.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const { _id, title, text } = JSON.parse(line)
    return { _id, _source: { title, text } }
  })

/** The documents from anywhere on, by what was asked for: the same for the same words. */
function answerTo(/** @type {string} */ body) {
  const { size = 10 } = JSON.parse(body)
  const start = [...body].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) | 0, 7) >>> 0
  const hits = Array.from({ length: Math.min(size, documents.length) }, (_, place) => {
    const document = documents[(start + place) % documents.length]
    return { _index: 'works', ...document, _score: 20 / (1 + place / 10) }
  })
  const shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
  const total = { value: documents.length, relation: 'eq' }
  return { took: 1, timed_out: false, _shards: shards, hits: { total, max_score: 20, hits }, status: 200 }
}

const text = { text: { type: 'text', searchable: true, aggregatable: false } }
const caps = { indices: ['works'], fields: { title: text, text } }

const delay = Number(process.argv[2] ?? 0)

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const path = request.url ?? ''
    const answer = path.includes('_msearch')
      ? {
          took: 1,
          responses: body
            .trimEnd()
            .split('\n')
            .filter((_, line) => line % 2 === 1)
            .map(answerTo),
        }
      : path.includes('_search')
        ? answerTo(body)
        : path.includes('_field_caps')
          ? caps
          : { count: documents.length }
    const send = () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    if (delay > 0) setTimeout(send, delay)
    else send()
  })
}).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})
process.on('disconnect', () => process.exit())
