/** The code that the pages show is part of an example, and every example runs. The slow ones do so in test/live. */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fuseFitted } from '../examples/fitted-fusion.ts'
import { ollamaChat } from '../examples/ollama-chat.ts'
import { byRankScore, byRrf0, byRrf60 } from '../examples/rank-score.ts'
import { createResilientOptimizer, load } from '../examples/resilience.ts'
import { substringSearch } from '../examples/substring-search.ts'
import { trigramEmbedder } from '../examples/trigram-embedder.ts'
import type { Run } from '../src/types.ts'
import { describeEmbedder } from './adapters/models/conformance.ts'
import { testRetriever } from './adapters/search/conformance.ts'
import { docidsOf, ranked } from './fusion/lists.ts'
import { blocksOf, dedented, pages, readPage, tableOf } from './support/markdown.ts'

const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.m?ts$|\.mjs$/.test(name))
  .map((name) => join('examples', name))

/** Not yet: these are being rewritten. */
const unchecked = [
  'README.md',
  'docs/adapters.md',
  'docs/deciding.md',
  'docs/drop-in.md',
  'docs/engines.md',
  'docs/http.md',
]

const blocks = pages
  .filter((page) => !unchecked.includes(page))
  .flatMap((page) => blocksOf(page, 'ts', 'js').map((block) => [page, titleOf(block), block] as const))

it.each(blocks)('%s: the code is part of an example: %s', (_page, _title, block) => {
  expect(examples.some((file) => isPartOf(readPage(file), block))).toBe(true)
})

it.each(examples)('%s is run by a test', (file) => {
  const tests = ['test/examples.test.ts', 'test/live/examples.test.ts', 'test/engines/example-apps.test.ts']
  const http = 'test/adapters/apps/http/examples.test.ts'
  const name = file.replace('examples/apps/', '').replace('-optimized', '').replace('.ts', '')
  expect([...tests, http].filter((test) => readPage(test).includes(name))).not.toEqual([])
})

/** Its first line that says something. */
function titleOf(block: string): string {
  return block.split('\n').find((line) => line !== '' && !line.startsWith('import'))!
}

/** Whether each paragraph of the block stands in the file, in this order, wherever it is indented to. */
function isPartOf(file: string, block: string): boolean {
  const lines = file.split('\n')
  let from = 0
  return block
    .trim()
    .split(/\n\n+/)
    .every((paragraph) => {
      const wanted = dedented(paragraph)
      const height = wanted.split('\n').length
      for (let at = from; at + height <= lines.length; at++) {
        if (dedented(lines.slice(at, at + height).join('\n')) !== wanted) continue
        from = at + height
        return true
      }
      return false
    })
}

testRetriever({ name: 'substring', create: substringSearch })

describeEmbedder('trigrams', async (instructions) => trigramEmbedder(instructions))

it('a misspelled name is nearest to the name', async () => {
  const texts = ['Bram Stoker', 'Mary Shelley', 'James Joyce', 'Mary Shelly']
  const vectors = await trigramEmbedder().embed(texts, { kind: 'document' })
  const cosines = vectors
    .slice(0, 3)
    .map((vector) => vector.reduce((sum, x, at) => sum + x * vectors[3]![at]!, 0))
  expect(cosines.indexOf(Math.max(...cosines))).toBe(1)
})

it('lists are fused as docs/fusion.md works it out by hand', () => {
  const orders = tableOf('docs/fusion.md', 'list').map(([name, order]) => [name, order!.split(', ')])
  expect(Object.fromEntries(orders)).toEqual({
    byRankScore: docidsOf(byRankScore),
    byRrf0: docidsOf(byRrf0),
    byRrf60: docidsOf(byRrf60),
  })
  const byHand = tableOf('docs/fusion.md', 'fused').map(([place]) => place)
  expect(byRankScore.map(({ rank, docid }) => `${rank} ${docid}`)).toEqual(byHand)
  expect(byRankScore.map(({ score }) => score)).toEqual([1, 1, 1, 1 / 3, 1 / 3])
})

it('a fitted fusion trusts the run that was right', () => {
  const runs = (good: string, bad: string): Run[] =>
    [good, bad].map((docid) => new Map([['q', ranked(docid).hits]]))
  const fused = fuseFitted(runs('a', 'b'), new Map([['q', new Map([['a', 1]])]]), runs('x', 'y'))
  expect(docidsOf(fused.get('q')!)).toEqual(['x', 'y'])
})

it('limits and retries stand around a retriever and around a request', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const optimizer = createResilientOptimizer(await substringSearch([{ docid: 'd', text: 'a quay' }]))
  expect(docidsOf((await optimizer.search('quay')).hits)).toEqual(['d'])
  expect(log.mock.calls).toEqual([
    [{ running: 0, queued: 0, breaker: 'closed', retries: 0, shed: 0, hedged: 0 }],
  ])

  let requests = 0
  const url = await serve((_, response) => void response.writeHead(++requests === 1 ? 503 : 200).end('here'))
  expect(await load(url)).toBe('here')
  expect(requests).toBe(2)
})

it('a chat model on a protocol of its own answers, and says why it does not', async () => {
  const asked: unknown[] = []
  const answers = [
    { status: 200, body: { message: { content: 'Yes.' }, prompt_eval_count: 12, eval_count: 3 } },
    { status: 404, body: { error: 'no such model' } },
    { status: 200, body: { message: { content: '' } } },
  ]
  const url = await serve(async (request, response) => {
    const { status, body } = answers[asked.push(await json(request)) - 1]!
    response.writeHead(status).end(JSON.stringify(body))
  })
  const chat = ollamaChat('small', url)
  const messages = [{ role: 'user', content: 'Does it rain?' }] as const
  expect(await chat.complete(messages, { maxTokens: 5 })).toEqual({
    text: 'Yes.',
    tokens: { prompt: 12, completion: 3 },
  })
  expect(asked).toEqual([
    { model: 'small', messages, stream: false, options: { num_ctx: 8192, num_predict: 5 } },
  ])
  await expect(chat.complete(messages)).rejects.toThrow('small answered 404: {"error":"no such model"}')
  await expect(chat.complete(messages)).rejects.toMatchObject({ code: 'chat-failed' })
  const reason = new Error('enough')
  await expect(chat.complete(messages, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

/** A server on a free port of this machine until the test is over: its address. */
async function serve(listener: Parameters<typeof createServer>[1] & object): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
