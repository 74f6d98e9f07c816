/** A policy that searches in several rounds and answers, before an engine: its evidence is the ranking, and nothing else. */
import { expect, it } from 'vitest'
import { type AppOptions, appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { llmReranker } from '../../../../adapters/rerank/llm.ts'
import type { Observer } from '../../../../src/observe.ts'
import type { Policy } from '../../../../src/policy.ts'
import type { Prompt } from '../../../../src/prompt.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import { expectError } from '../../../support/expect-error.ts'
import { fakeEngine, finding, found, idsOf, run, searchFor } from '../../../support/fake-engine.ts'
import { scriptedChat } from '../../../support/scripted.ts'

const prompt = (name: string): Prompt<string, string> => ({
  name,
  render: (text) => [{ role: 'user', content: text }],
  parse: (text) => text,
})
const [rewrite, answer] = [prompt('mine/rewrite'), prompt('mine/answer')]

const policy: Policy = {
  name: 'mine',
  budget: { rounds: 3, asks: 2 },
  prompts: [rewrite.name, answer.name],
  async run({ text }, tools) {
    const better = await tools.ask(rewrite, text)
    let legs = await tools.retrieve([{ text: better }], { reason: 'rewritten' })
    for (const words of ['golden gate', 'forth']) {
      const more = await tools.retrieve([{ text: words }], { reason: 'one hop more' })
      legs = [...legs, ...more]
    }
    const citations = [legs.at(-1)?.hits?.[0]?.docid ?? '']
    const hits = tools.fuse(legs, { first: citations })
    return tools.answers ? { hits, citations, answer: await tools.ask(answer, 'answer') } : { hits }
  },
}

const lists = {
  bridge: found('a', 'b'),
  'brooklyn bridge': found('d', 'a'),
  'golden gate': found('e', 'b'),
  forth: found('f'),
}

it('has its evidence first in the answer of the engine, in as many batches as it has rounds, and is not asked to answer', async () => {
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding(lists))
  const chat = scriptedChat(['brooklyn bridge', 'never asked'])
  const rounds: number[] = []
  const observe: Observer = { onLeg: ({ leg }) => rounds.push(leg.round) }
  const result = await run(call, engine, { options: { policy, chat, rerank: false, observe } })
  expect(idsOf(result)).toEqual(['f', 'd', 'e', 'a', 'b'])
  expect(engine.batches).toHaveLength(3)
  expect(rounds).toEqual([0, 1, 2, 3])
  expect(chat.calls).toHaveLength(1)
  expect(result.trace?.outcome).not.toHaveProperty('answer')
})

it('MMOA-RAG by its name: what was selected comes first, for two prompts', async () => {
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding(lists))
  const chat = scriptedChat(['brooklyn bridge\ngolden gate', 'Document1', 'never asked'])
  const result = await run(call, engine, { options: { policy: 'mmoa', chat, rerank: false } })
  // In turns: d e, a b.
  expect(idsOf(result)).toEqual(['e', 'd', 'a', 'b'])
  expect(chat.calls).toHaveLength(2)
  expect(result.trace?.outcome).not.toHaveProperty('answer')
})

it('agentic by its name: what it keeps comes first, ranked by the local policy, and a re-ranker orders each search', async () => {
  const call = searchFor('bridge')
  const chat = scriptedChat(['Search: golden gate\nDocuments: 2', 'Documents: 2', 'never asked'])
  const result = await run(call, fakeEngine(call, finding(lists)), {
    options: { policy: 'agentic', chat, rerank: false },
  })
  // b was kept, then e was chosen.
  expect(idsOf(result)).toEqual(['e', 'b', 'a'])
  expect(chat.calls).toHaveLength(2)
  const turned: string[] = []
  const rerank: Reranker = {
    rerank({ text }, _lists, fused) {
      turned.push(text)
      return fused.toReversed().map((hit, place) => ({ ...hit, rank: place + 1, score: -place }))
    },
  }
  const again = scriptedChat(['Search: golden gate\nDocuments: 1', 'Documents: 1'])
  const options = { policy: 'agentic', chat: again, rerank } as const
  await run(call, fakeEngine(call, finding(lists)), { options })
  expect(turned).toEqual(['bridge', 'golden gate'])
})

it('spends no more than the application allows, and shows what was found until then', async () => {
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding(lists))
  const chat = scriptedChat(['brooklyn bridge\ngolden gate', 'never asked'])
  const result = await run(call, engine, {
    options: { policy: 'mmoa', chat, rerank: false, budget: { asks: 1 } },
  })
  expect(chat.calls).toHaveLength(1)
  expect(new Set(idsOf(result))).toEqual(new Set(['a', 'b', 'd', 'e']))
})

it('never lets a policy do more than it declares, and gives the answer of the engine to one that does not keep to less', async () => {
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding(lists))
  const chat = scriptedChat(['brooklyn bridge'])
  const result = await run(call, engine, { options: { policy, chat, rerank: false, budget: { rounds: 2 } } })
  expect(idsOf(result)).toEqual(['a', 'b'])
  expect(result.trace?.fallback?.code).toBe('budget-exceeded')
})

it('tells what prompts cost, and stops asking once the dollars are spent', async () => {
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding(lists))
  const chat = scriptedChat(['brooklyn bridge\ngolden gate', 'never asked'])
  const prices = { [chat.name]: { prompt: 1000, completion: 1000 } }
  const options = { policy: 'mmoa', chat, rerank: false, prices, budget: { usd: 0.000001 } }
  const result = await run(call, engine, { options })
  expect(chat.calls).toHaveLength(1)
  const tokens = result.trace!.tokens!
  expect(result.trace?.usd).toBeCloseTo((tokens.prompt + tokens.completion) / 1000, 12)
})

const chat = scriptedChat([])
const prices = { [chat.name]: { prompt: 1, completion: 1 } }
it.each<readonly [string, AppOptions]>([
  ['the chat model', { policy: 'mmoa', chat, budget: { usd: 1 } }],
  ['that of a policy with a budget of its own', { policy: { ...policy, budget: { usd: 1 } }, chat }],
  [
    'that of the re-ranker',
    { rerank: llmReranker({ chat: { ...chat, name: 'judge' } }), chat, prices, budget: { usd: 1 } },
  ],
])('refuses a budget in dollars for a model without a price: %s', (_, options) => {
  expectError(() => appSettings(options, 'querent'), 'bad-config', /--set prices/)
})
