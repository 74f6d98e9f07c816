/** Answering policies with budgets of a few prompts: each that allows one gives an answer where the documents at hand tell it. */
import { expect, it, onTestFinished } from 'vitest'
import { openaiChat } from '../../../adapters/models/openai.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { agentic } from '../../../policies/agentic/agentic.ts'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { mao } from '../../../policies/mao-arag/mao.ts'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { none } from '../../../policies/none.ts'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import type { Budget } from '../../../src/budget.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import { completion, startChatServer } from '../../support/chat-server.ts'

const documents = [
  { docid: 'elbe', title: 'Elbe', text: 'The Elbe flows from Bohemia to the North Sea.' },
  { docid: 'vltava', title: 'Vltava', text: 'The Vltava flows through Prague and joins the Elbe.' },
  { docid: 'oder', title: 'Oder', text: 'The Oder flows into the Baltic Sea.' },
]
const question = 'Into which sea flows the Elbe, which the Vltava joins?'

/** What the model says, by the beginning of its instructions. It answers where nothing else is possible. */
const says: readonly (readonly [string, string])[] = [
  ['You read what searches', 'Answer: The North Sea\nDocuments: 1'],
  ['You prepare', 'Which river does the Vltava join?\nWhere does the Elbe end?'],
  ['You choose the documents', 'Document0'],
  ['You decide how', '[Planning]'],
  ['You plan how', '1. Which river does the Vltava join?\n2. Where does the Elbe end?'],
  ['You judge documents', 'Thought: the first. Action: [1]'],
  ['You decide what', 'Thought: one is missing. Action: [Retrieval] Oder Baltic'],
  ['You plan the workflow', 'QDS'],
  ['You split', 'Which river does the Vltava join?\nWhere does the Elbe end?'],
  ['You write the query', 'Step 2: where it ends\nStep 3: Where does the Elbe end?'],
]
/** It searches for something else each time, and keeps the first document. */
const searchFor = ['Elbe North', 'Oder Baltic', 'Vltava Prague']

async function searching(policy: Policy, budget: Budget) {
  let searches = 0
  const server = await startChatServer(({ body }) => {
    const [system] = body.messages as readonly { readonly content: string }[]
    const said = says.find(([beginning]) => system!.content.startsWith(beginning))?.[1]
    const search = `Search: ${searchFor[searches++]}\nDocuments: 1`
    if (system!.content.startsWith('You think'))
      return completion(
        system!.content.includes('no time for further thoughts')
          ? '<answer>The North Sea</answer>'
          : '<think>Where does the Elbe end?</think>',
      )
    return completion(said ?? (system!.content.startsWith('You read what') ? search : 'The North Sea'))
  })
  onTestFinished(() => server.close())
  const retrievers = [await buildWinkBm25(documents)]
  const chat = openaiChat({ baseUrl: server.url, model: 'm', retries: 0 })
  const optimizer = createOptimizer({
    retrievers,
    policy,
    chat,
    budget,
    prices: { m: { prompt: 1, completion: 1 } },
  })
  return { ...(await optimizer.search(question)), requests: server.requests }
}

const chain = agentic({ policy: none(), maxRounds: 4 })

it.each<[string, Policy, Budget, number]>([
  ...[1, 2, 3].map((asks): [string, Policy, Budget, number] => ['agentic', chain, { asks }, asks]),
  ['agentic', chain, { rounds: 1 }, 2],
  ['agentic', chain, { subQueries: 2 }, 3],
  ['agentic', chain, { tokens: 1 }, 1],
  ['agentic', chain, { usd: 2e-5 }, 2],
  ...[1, 2, 3].flatMap((asks): [string, Policy, Budget, number][] => [
    ['mmoa', mmoa(), { asks }, asks],
    ['c3po', c3po(), { asks }, asks],
    ['mao', mao(), { asks }, asks],
    ['sparkle', sparkle(), { asks }, asks],
  ]),
  ['mmoa', mmoa(), { rounds: 1 }, 3],
])('%s answers with the last prompt that a budget allows', async (_, policy, budget, asked) => {
  const { answer, endedBy, trace, requests } = await searching(policy, budget)
  expect(trace.fallback).toBeUndefined()
  expect([answer, requests.length]).toEqual(['The North Sea', asked])
  // All four could spend more, and say so; `agentic` has no prompt that it would not ask last.
  const isShort = policy.name !== 'agentic' && (policy.name !== 'mmoa' || asked < 3)
  expect(endedBy).toBe(isShort ? 'asks' : undefined)
})
