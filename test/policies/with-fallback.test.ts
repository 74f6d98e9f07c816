/** The local policy decides where the chat server of another one fails, in the time that is left. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { openaiChat } from '../../adapters/models/openai.ts'
import { acqo } from '../../policies/acqo/acqo.ts'
import { localPolicy } from '../../policies/local/local-policy.ts'
import { none } from '../../policies/none.ts'
import { withFallback } from '../../policies/with-fallback.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import { completion, failure, type Reply, startChatServer } from '../support/chat-server.ts'
import { expectError } from '../support/expect-error.ts'
import { manualClock } from '../support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from '../support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c'], second: ['d'] }
const retrieving = (name: string, ...texts: readonly string[]): Policy => ({
  name,
  budget: { rounds: 1, subQueries: texts.length },
  async run(_, tools) {
    tools.decide('rewrite', `${name} said so`)
    return {
      hits: tools.fuse(
        await tools.retrieve(
          texts.map((text) => ({ text })),
          { reason: 'more' },
        ),
      ),
    }
  },
})
const searchWith = (options: Partial<OptimizerOptions>) =>
  createOptimizer({ retrievers: [scriptedRetriever({ found })], ...options })

async function chatThat(reply: Reply, retries = 0) {
  const server = await startChatServer(() => reply)
  onTestFinished(() => server.close())
  return { server, chat: openaiChat({ baseUrl: server.url, model: 'scripted', retries }) }
}

describe('a policy whose chat server fails', () => {
  it('leaves the decision to the other one, and the trace says so', async () => {
    const { server, chat } = await chatThat(failure(429, 'slowly'))
    const { search } = searchWith({ policy: withFallback(acqo(), retrieving('other', 'first')), chat })
    for (const code of [...Array(5).fill('rate-limited'), 'unavailable']) {
      const { hits, trace } = await search('who')
      expect(hits.map(({ docid }) => docid)).toEqual(['c'])
      expect(trace.fallback).toBeUndefined()
      expect(trace.reason).toBe(`acqo failed (${code}), other decided: other said so`)
      expect(trace.steps.find(({ type }) => type === 'ask')).toMatchObject({
        error: { code, message: expect.stringContaining('answered 429 slowly') },
      })
    }
    expect(server.requests).toHaveLength(5)
  })

  it('decides itself as long as it answers', async () => {
    const { chat } = await chatThat(completion('{"query": "second"}'))
    const { policy: local } = await localPolicy({ rerank: false })
    const { trace } = await searchWith({ policy: withFallback(acqo(), local), chat }).search('who')
    expect(trace).toMatchObject({
      policy: 'acqo',
      kind: 'rewrite',
      reason: expect.not.stringContaining('local'),
    })
  })

  it('is followed by the bundled policy, over the documents of the hits', async () => {
    const { chat } = await chatThat(failure(500, 'no'))
    const { policy: local } = await localPolicy({ rerank: false })
    const documents = async (docids: readonly string[]) =>
      docids.map((docid) => ({ docid, text: `about ${docid}` }))
    const { trace } = await searchWith({ policy: withFallback(acqo(), local), chat, documents }).search('who')
    expect(trace.reason).toMatch(/^acqo failed \(chat-failed\), local decided: /)
    expect(trace.fallback).toBeUndefined()
  })
})

it('the other policy has the time that is left, and not a second deadline', async () => {
  const clock = manualClock()
  const chat = scriptedChat(['{}'], { ms: 60_000, clock })
  const retriever = scriptedRetriever({ found })
  const { search } = createOptimizer({
    retrievers: [
      {
        ...retriever,
        retrieve: (all, given) =>
          all[0]?.text === 'first' ? new Promise(() => {}) : retriever.retrieve(all, given),
      },
    ],
    policy: withFallback(acqo(), retrieving('other', 'first')),
    chat,
    clock,
    budget: { timeout: 4000, askTimeout: 3000 },
    legTimeout: 60_000,
  })
  const searching = search('who')
  await clock.advance(4000)
  const { trace } = await searching
  expect(trace.times.total).toBe(4000)
  expect(trace.fallback?.code).toBe('deadline')
})

it('each policy has its own budget, and the ceiling is that of both', async () => {
  const first: Policy = {
    name: 'first',
    budget: { rounds: 1, subQueries: 2 },
    async run(_, tools) {
      expect(tools.budget).toMatchObject({ rounds: 1, subQueries: 2 })
      await tools.retrieve([{ text: 'first' }], { reason: 'more' })
      throw new Error('then it fails')
    },
  }
  const both = withFallback(first, retrieving('other', 'second'))
  expect((await searchWith({ policy: both }).search('who')).hits.map(({ docid }) => docid)).toEqual(['d'])
  const limited = await searchWith({ policy: both, budget: { rounds: 1 } }).search('who')
  expect(limited.trace.fallback?.message).toBe('then it fails')
  expect(limited.hits.map(({ docid }) => docid)).toEqual(hits('a', 'b').map(({ docid }) => docid))
})

it('does not hide a prompt without a model', async () => {
  const { prompts: _, ...undeclared } = acqo()
  const { search } = searchWith({ policy: withFallback(undeclared, none()) })
  await expectError(search('who'), 'bad-config')
})
