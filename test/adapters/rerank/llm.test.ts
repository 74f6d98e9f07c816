import { describe, expect, it, onTestFinished } from 'vitest'
import { openaiChat } from '../../../adapters/models/openai.ts'
import { type LlmRerankerOptions, llmReranker } from '../../../adapters/rerank/llm.ts'
import { acqo } from '../../../policies/acqo/acqo.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import type { Reranker } from '../../../src/reranker.ts'
import { traceSchema } from '../../../src/trace-schema.ts'
import type { Document, Message } from '../../../src/types.ts'
import { docidsOf } from '../../fusion/lists.ts'
import {
  completion,
  failure,
  type Reply,
  type ScriptedServer,
  type SeenRequest,
  startChatServer,
} from '../../support/chat-server.ts'
import { expectError } from '../../support/expect-error.ts'
import { hits, scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { rerankStep, searchWith, testReranker } from './conformance.ts'
import { orderBy } from './order-of.ts'

type Options = Omit<LlmRerankerOptions, 'chat'>

/** A re-ranker over a chat server, and the server. */
async function over(
  answer: (request: SeenRequest) => Reply,
  options: Options = {},
): Promise<{ readonly reranker: Reranker; readonly server: ScriptedServer }> {
  const server = await startChatServer(answer)
  onTestFinished(() => server.close())
  const chat = openaiChat({ baseUrl: server.url, model: 'm', retries: 0 })
  return { reranker: llmReranker({ chat, ...options }), server }
}

/** The texts of the passages in a prompt, in order. */
const passagesOf = ({ body }: SeenRequest): string[] =>
  Array.from(
    (body.messages as readonly Message[]).at(-1)!.content.matchAll(/^\[\d+\] (.*)$/gm),
    ([, text]) => text!,
  )

const saying = (text: string | null) => async () => (await over(() => completion(text))).reranker

testReranker('llmReranker', {
  hasTies: false,
  async make(scores, options) {
    const { reranker } = await over((request) => {
      const texts = passagesOf(request)
      const order = [...texts.keys()].sort((one, other) => scores[texts[other]!]! - scores[texts[one]!]!)
      return completion(order.map((place) => `[${place + 1}]`).join(' > '))
    }, options)
    return reranker
  },
  async hanging(options) {
    const { reranker, server } = await over(() => 'hang', { timeout: 60_000, ...options })
    return { reranker, asked: server.arrived(1), left: server.abandoned }
  },
  faults: {
    'HTTP 500': {
      make: async () => (await over(() => failure(500, 'no memory'))).reranker,
      code: 'chat-failed',
    },
    'no JSON': { make: async () => (await over(() => ({ body: '{' }))).reranker, code: 'chat-failed' },
    'an empty answer': { make: saying(null), code: 'bad-completion' },
    'words without an order': { make: saying('They are all good.'), code: 'bad-completion' },
    'unknown numbers': { make: saying('[9] > [8]'), code: 'bad-completion' },
  },
})

describe('llmReranker', () => {
  it('keeps the fused order of what the model leaves out', async () => {
    const { reranker } = await over(() => completion('[3] > [9] > [3]'))
    const { hits: found } = await searchWith(reranker, ['a', 'b', 'c', 'd'])
    expect(docidsOf(found)).toEqual(['c', 'a', 'b', 'd'])
    expect(found.map(({ score }) => score)).toEqual([1, 0, -1, -2])
  })

  it('asks once more where the answer has no order', async () => {
    const replies = [completion('Hm.'), completion('[2] > [1]')]
    const { reranker, server } = await over(() => replies.shift()!)
    const result = await searchWith(reranker, ['a', 'b'])
    expect(docidsOf(result.hits)).toEqual(['b', 'a'])
    expect(server.requests).toHaveLength(2)
    expect(result.trace.steps).toContainEqual(
      expect.objectContaining({
        type: 'ask',
        prompt: 'rerank',
        model: 'm',
        attempts: 2,
        output: '[2] > [1]',
      }),
    )
    expect(result.trace.tokens).toEqual({ prompt: 24, completion: 6 })
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })

  it('works outside of a search', async () => {
    const { reranker } = await over(() => completion('[2] > [1]'))
    expect(await orderBy(reranker, 'a', 'b')).toEqual(['b', 'a'])
  })

  const texts: Readonly<Record<string, Document>> = {
    stoker: { docid: 'stoker', title: 'Bram Stoker', text: 'An Irish author, born in Dublin.' },
    dracula: {
      docid: 'dracula',
      title: 'Dracula',
      text: 'A novel of 1897. Its author is Bram Stoker. It is set in Transylvania.',
    },
    // Too far back to be a candidate, and yet the document that led to one.
    far: { docid: 'far', title: 'Far', text: 'It mentions Dublin.' },
  }

  /** Searches a text that is made from a document. */
  const second: Policy = {
    name: 'second',
    async run(_query, tools) {
      const first = await tools.original()
      const further = await tools.retrieve(
        [
          { text: 'Bram Stoker', from: 'dracula' },
          { text: 'Dublin', from: 'far' },
        ],
        { reason: 'a name' },
      )
      return { hits: tools.fuse([...first, ...further]) }
    },
  }

  it('shows each candidate beside the document that led to it', async () => {
    const chat = scriptedChat(['[2] > [1]'])
    const { search } = createOptimizer({
      retrievers: [
        scriptedRetriever({
          found: {
            'Who is the author of Dracula?': ['dracula'],
            'Bram Stoker': ['stoker'],
            Dublin: ['stoker'],
          },
        }),
      ],
      policy: second,
      rerank: llmReranker({ chat }),
      documents: async (docids) => docids.map((docid) => texts[docid]),
    })
    const result = await search({
      text: 'Who is the author of Dracula?',
      history: [{ role: 'user', text: 'I like novels.' }],
    })
    // Fused by rank: stoker (1 + 1), dracula (1).
    expect(chat.calls[0]!.messages.at(-1)!.content).toBe(
      [
        'Conversation so far:\nuser: I like novels.',
        'Question: Who is the author of Dracula?',
        '[1] Bram Stoker: An Irish author, born in Dublin.\n(found through "Dracula": Its author is Bram Stoker.)',
        '[2] Dracula: A novel of 1897. Its author is Bram Stoker. It is set in Transylvania.',
        'Question again: Who is the author of Dracula?',
        'The order of the 2 passages:',
      ].join('\n\n'),
    )
    expect(docidsOf(result.hits)).toEqual(['dracula', 'stoker'])
  })

  it('asks for the texts of documents that led to candidates', () => {
    const lists = [
      { retriever: 'bm25', subQuery: { text: 'Dublin', round: 1, from: 'far' }, hits: hits('stoker') },
    ]
    const reranker = llmReranker({ chat: scriptedChat([]) })
    expect(reranker.needs?.({ text: 'q' }, lists, hits('dracula', 'stoker'))).toEqual([
      'dracula',
      'stoker',
      'far',
    ])
  })

  it("is not counted in the budget of the policy's prompts", async () => {
    const { search } = createOptimizer({
      retrievers: [scriptedRetriever({ found: { who: ['a'], 'who is it': ['a', 'b'] } })],
      policy: acqo(),
      chat: scriptedChat(['{"query": "who is it"}']),
      rerank: llmReranker({ chat: scriptedChat(['[2] > [1]']) }),
      documents: async (docids) => docids.map((docid) => ({ docid, text: docid })),
      budget: { asks: 1 },
    })
    const result = await search('who')
    expect(rerankStep(result)?.error).toBeUndefined()
    expect(docidsOf(result.hits)).toEqual(['b', 'a'])
  })

  it.each<readonly [string, unknown]>([
    ['chat', {}],
    ['window', { chat: scriptedChat([]), window: 101 }],
    ['timeout', { chat: scriptedChat([]), timeout: 0 }],
  ])('refuses wrong options: %s', (name, options) => {
    expectError(() => llmReranker(options as LlmRerankerOptions), 'bad-config', name)
  })
})
