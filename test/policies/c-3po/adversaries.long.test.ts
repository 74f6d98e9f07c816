import { expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { completion, type SeenRequest } from '../../support/chat-server.ts'
import { searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

testAnsweringPolicy(c3po())

const { searchAll, expectPlain } = searchingWith(c3po())

/** Answers by the first words of the instructions; the longest that fit. */
const saying =
  (says: Readonly<Record<string, (call: number) => string>>) =>
  ({ body }: SeenRequest) => {
    const [system] = body.messages as readonly { readonly content: string }[]
    const known = Object.keys(says).find((beginning) => system!.content.startsWith(beginning))
    return completion(known === undefined ? 'unknown' : says[known]!(calls++))
  }
let calls = 0

it('searches for ever: each in other words, four are searched and four are judged', async () => {
  const results = await searchAll(
    saying({
      'You decide how': () => '[Planning]',
      'You plan how': () => 'Search.',
      'You decide what': (call) => `Thought: more. Action: [Retrieval] bridge ${call}`,
      'You judge': () => 'Thought: one. Action: [1]',
    }),
  )
  for (const { trace } of results) {
    expect(trace.steps.filter((step) => step.type === 'retrieve' && step.round > 0)).toHaveLength(4)
    expect(trace.steps.flatMap((step) => (step.type === 'ask' ? [step.prompt] : [])).slice(-11)).toEqual([
      'c3po/router',
      'c3po/plan',
      ...Array.from({ length: 4 }, () => ['c3po/decide', 'c3po/filter']).flat(),
      'c3po/answer',
    ])
  }
})

it('the same search for ever: one request, and a further page each time', async () => {
  const results = await searchAll(
    saying({
      'You decide how': () => '[Planning]',
      'You plan how': () => 'Search.',
      'You decide what': () =>
        'Thought: more. Action: [Retrieval] the history of a large bridge in the north',
      'You judge': () => 'Thought: two. Action: [1, 2]',
      'You answer': () => 'a bridge',
    }),
  )
  for (const { trace, answer, citations } of results) {
    expect(trace.steps.filter((step) => step.type === 'retrieve' && step.round > 0)).toHaveLength(1)
    expect(answer).toBe('a bridge')
    expect(new Set(citations).size).toBe(citations!.length)
    expect(citations!.length).toBeGreaterThan(2)
  }
})

it('numbers of no document, and what is no action, are as good as nothing', async () =>
  expectPlain(
    await searchAll(
      saying({
        'You decide how': () => '[Search] bridges',
        'You judge': () => 'Thought: all. Action: [one, two]',
      }),
    ),
  ))
