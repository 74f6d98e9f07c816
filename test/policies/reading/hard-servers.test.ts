/** Policies with chat servers that refuse parameters, models that think for long, and streams that end early. */
import { expect, it, onTestFinished } from 'vitest'
import { openaiChat } from '../../../adapters/models/openai.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { acqo } from '../../../policies/acqo/acqo.ts'
import { agentic } from '../../../policies/agentic/agentic.ts'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { mao } from '../../../policies/mao-arag/mao.ts'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { none } from '../../../policies/none.ts'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import type { SearchResult } from '../../../src/types.ts'
import {
  completion,
  type Reply,
  type SeenRequest,
  startChatServer,
  streamedCompletion,
} from '../../support/chat-server.ts'

const documents = [
  { docid: 'elbe', title: 'Elbe', text: 'The Elbe flows from Bohemia to the North Sea.' },
  { docid: 'vltava', title: 'Vltava', text: 'The Vltava flows through Prague and joins the Elbe.' },
  { docid: 'oder', title: 'Oder', text: 'The Oder flows into the Baltic Sea.' },
]
const question = 'Into which sea flows the Elbe, which the Vltava joins?'
const policies: readonly (readonly [string, Policy])[] = [
  ['agentic', agentic({ policy: none() })],
  ['acqo', acqo()],
  ['acqo, twice', acqo({ rounds: 2 })],
  ['mmoa', mmoa()],
  ['c3po', c3po()],
  ['mao', mao()],
  ['sparkle', sparkle()],
]

/** What the model says, by the beginning of its instructions. */
const says: readonly (readonly [string, string])[] = [
  ['You read what', 'Answer: The North Sea\nDocuments: 1, 2'],
  ['You write queries', '{"query": "Where does the Elbe end?"}'],
  ['You decide whether a search needs', '{"query": ""}'],
  ['You prepare', 'Which river does the Vltava join?\nWhere does the Elbe end?'],
  ['You choose the documents', 'Document0'],
  ['You decide how', '[Retrieval] where the Elbe ends'],
  ['You judge', 'Thought: it says so. Action: [1]'],
  ['You plan the workflow', 'RA, DS, AG'],
  ['You think', '<answer>The North Sea</answer>'],
  ['You answer', 'The North Sea'],
]
const saidTo = ({ body }: SeenRequest): string => {
  const [system] = body.messages as readonly { readonly content: string }[]
  return says.find(([beginning]) => system!.content.startsWith(beginning))![1]
}
const replyTo = (request: SeenRequest, text = saidTo(request), reason = 'stop'): Reply =>
  request.body.stream === true
    ? streamedCompletion(text.match(/[\s\S]{1,9}/g) ?? [''], reason)
    : completion(text, { choice: { finish_reason: reason } })

/** A search with a model on this server, its answer streamed, and how often the server was asked. */
async function searching(policy: Policy, answer: (request: SeenRequest) => Reply) {
  const server = await startChatServer(answer)
  onTestFinished(() => server.close())
  const retrievers = [await buildWinkBm25(documents)]
  const chat = openaiChat({ baseUrl: server.url, model: 'm', retries: 0 })
  const { search } = createOptimizer({ retrievers, policy, chat })
  let shown = ''
  const result = await search(question, { onText: (piece) => (shown += piece) })
  return { result, shown, requests: server.requests }
}

const docidsOf = ({ hits }: SearchResult): readonly string[] => hits.map(({ docid }) => docid)
const isAcqo = (policy: Policy): boolean => policy.name === 'acqo'

function expectAnswer(policy: Policy, { result, shown }: { result: SearchResult; shown: string }): void {
  expect(result.trace.fallback).toBeUndefined()
  expect(docidsOf(result)).toContain('elbe')
  if (isAcqo(policy)) return
  expect(result.answer).toBe('The North Sea')
  // SPARKLE's answers are not streamed.
  if (policy.name !== 'sparkle') expect(shown).toBe('The North Sea')
}

const refusals = ['temperature', 'stop', 'max_tokens', 'stream', 'all'] as const
const cases = policies.flatMap(([name, policy]) => refusals.map((refused) => ({ name, policy, refused })))

it.each(cases)('$name answers where $refused is refused', async ({ policy, refused }) => {
  const names = refused === 'all' ? ['temperature', 'stop', 'max_tokens', 'top_p', 'stream'] : [refused]
  const found = await searching(policy, (request) => {
    const param = names.find((one) => request.body[one] !== undefined)
    if (param === undefined) return replyTo(request)
    const message = `Unsupported parameter: '${param}' is not supported with this model.`
    return { status: 400, body: { error: { message, param, code: 'unsupported_parameter' } } }
  })
  expectAnswer(policy, found)
  const asked = found.result.trace.steps.filter(({ type }) => type === 'ask').length
  expect(found.requests.length - asked).toBeLessThanOrEqual(names.length)
})

const thoughts = 'They may mean another river, or {"query": "text"}. '.repeat(500)
/** What the model writes, and what of it comes if it may not write 6,000 tokens. */
const thinkers: readonly (readonly [string, (said: string) => string, string, Reply])[] = [
  [
    'in tags',
    (said) => `<think>${thoughts}</think>\n\n${said}`,
    `<think>${thoughts.slice(0, 8000)}`,
    completion(`<think>${thoughts.slice(0, 8000)}`, { choice: { finish_reason: 'length' } }),
  ],
  [
    'without the opening tag',
    (said) => `${thoughts}</think>\n\n${said}`,
    thoughts.slice(0, 8000),
    completion(thoughts.slice(0, 8000), { choice: { finish_reason: 'length' } }),
  ],
  [
    'apart',
    (said) => said,
    '',
    completion('', {
      choice: { finish_reason: 'length' },
      message: { reasoning_content: thoughts.slice(0, 8000) },
    }),
  ],
]

it.each(
  policies.flatMap(([name, policy]) =>
    thinkers
      // What begins its thoughts without a tag is streamed as if it spoke: see the next test.
      .filter(([how]) => name !== 'agentic' || how !== 'without the opening tag')
      .map(([how, whole, cutText, cut]) => ({ name, policy, how, whole, cutText, cut })),
  ),
)('$name answers with a model that thinks for 6,000 tokens $how', async ({ policy, whole, cutText, cut }) => {
  const found = await searching(policy, (request) => {
    const limit = Number(request.body.max_tokens ?? Number.POSITIVE_INFINITY)
    if (limit >= 6000) return replyTo(request, whole(saidTo(request)))
    return request.body.stream === true ? streamedCompletion([cutText], 'length') : cut
  })
  expectAnswer(policy, found)
  // It is cut off once.
  const asked = found.result.trace.steps.filter(({ type }) => type === 'ask').length
  expect(found.requests.length).toBeLessThanOrEqual(asked + 1)
})

it('agentic has room from the second answer on, where the first was cut off within thoughts that have no tag', async () => {
  const [, whole, cutText] = thinkers[1]!
  const server = await startChatServer((request) =>
    Number(request.body.max_tokens) < 6000
      ? streamedCompletion([cutText], 'length')
      : replyTo(request, whole(saidTo(request))),
  )
  onTestFinished(() => server.close())
  const retrievers = [await buildWinkBm25(documents)]
  const chat = openaiChat({ baseUrl: server.url, model: 'm', retries: 0 })
  const { search } = createOptimizer({ retrievers, policy: agentic({ policy: none() }), chat })
  const asking = () => search(question, { onText: () => undefined })
  const first = await asking()
  expect(first.answer).toBeUndefined()
  expect(docidsOf(first)).toContain('elbe')
  expect((await asking()).answer).toBe('The North Sea')
})

it.each(policies)(
  '%s, whose model never ends its thoughts, has the hits of none and the reason',
  async (_, policy) => {
    const { result, shown } = await searching(policy, (request) =>
      replyTo(request, `<think>${thoughts}`, 'length'),
    )
    expect(docidsOf(result)).toEqual(expect.arrayContaining(['elbe', 'vltava']))
    expect(result.answer).toBeUndefined()
    expect(shown).toBe('')
    const failures = result.trace.steps.flatMap((step) =>
      step.type === 'ask' && step.error ? [step.error.code] : [],
    )
    expect(new Set([...failures, ...(result.trace.fallback ? [result.trace.fallback.code] : [])])).toEqual(
      new Set(['bad-completion']),
    )
  },
)

it.each(policies)('%s, whose answer ends early, has hits and the reason', async (_, policy) => {
  const isStreamed = !isAcqo(policy) && policy.name !== 'sparkle'
  const { result } = await searching(policy, (request) => {
    if (!isStreamed)
      return { body: JSON.stringify((replyTo(request) as { body: unknown }).body).slice(0, -9) }
    if (request.body.stream !== true) return replyTo(request)
    const [head] = String(
      (streamedCompletion(['The Nor', 'th Sea']) as { readonly body: string }).body,
    ).split('th Sea')
    return {
      headers: { 'content-type': 'text/event-stream' },
      body: head!.slice(0, head!.lastIndexOf('data:')),
    }
  })
  expect(result.answer).toBeUndefined()
  expect(docidsOf(result)).toContain('elbe')
  const last = result.trace.steps.findLast((step) => step.type === 'ask')
  const message = expect.stringContaining(isStreamed ? 'early' : 'JSON')
  expect(last).toMatchObject({ error: { code: 'chat-failed', message } })
})
