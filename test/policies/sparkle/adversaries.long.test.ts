import { expect, it } from 'vitest'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import type { SearchResult } from '../../../src/types.ts'
import { completion, type SeenRequest } from '../../support/chat-server.ts'
import { judgedSample } from '../../support/oracle-agents.ts'
import { searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

testAnsweringPolicy(sparkle())

const { searchAll, expectPlain } = searchingWith(sparkle())
/** With answers that do not depend on the question, a few questions are enough. */
const few = (await judgedSample()).slice(0, 3)

/** Answers by the first words of the instructions, with the number of the call. */
function saying(says: Readonly<Record<string, (call: number) => string>>) {
  let calls = 0
  return ({ body }: SeenRequest) => {
    const [system] = body.messages as readonly { readonly content: string }[]
    const known = Object.keys(says).find((beginning) => system!.content.startsWith(beginning))
    return completion(known === undefined ? '' : says[known]!(calls++))
  }
}

/** The prompts of a search, without that for a conversation. */
const asksOf = ({ trace }: SearchResult): readonly string[] =>
  trace.steps.flatMap((step) =>
    step.type === 'ask' && step.prompt !== 'reading/standalone' ? [step.prompt] : [],
  )

it('thoughts without end: eight of them, then the answer is asked for once and is none', async () => {
  const results = await searchAll(
    saying({
      'You think': (call) => `<think>one more, ${call}`,
      'You decide': () => 'No (retrieval is not required)',
    }),
    few,
  )
  await expectPlain(results, few)
  for (const result of results)
    expect(asksOf(result)).toEqual([
      ...Array.from({ length: 8 }, () => ['sparkle/think', 'sparkle/decide']).flat(),
      'sparkle/think',
    ])
})

it('searches for ever: five are searched, and their facts that nobody has said are none', async () => {
  const results = await searchAll(
    saying({
      'You think': (call) => `<think>one more, ${call}`,
      'You decide': () => 'Yes (retrieval is required)',
      'You write the query': (call) => `Step 3: bridge ${call}`,
      'You choose': () => '<nobody; said; this>',
    }),
    few,
  )
  for (const { trace, answer } of results) {
    expect(trace.steps.filter((step) => step.type === 'retrieve' && step.round > 0)).toHaveLength(5)
    expect(answer).toBeUndefined()
    expect(trace.outcome.citations).toBeUndefined()
  }
})

it('the same query for ever is searched once, and its fact is chosen once', async () => {
  const results = await searchAll(
    saying({
      'You think': () => '<think>the same',
      'You decide': () => 'Yes (retrieval is required)',
      'You write the query': () => 'Step 3: the history of a large bridge in the north',
      'You choose': () => 'bridge',
    }),
    few,
  )
  for (const result of results) {
    const { steps } = result.trace
    expect(steps.filter((step) => step.type === 'retrieve' && step.round > 0)).toHaveLength(1)
    expect(asksOf(result).filter((prompt) => prompt === 'sparkle/integrate')).toHaveLength(1)
    expect(asksOf(result).filter((prompt) => prompt === 'sparkle/formulate')).toHaveLength(8)
  }
})
