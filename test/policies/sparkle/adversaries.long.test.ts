import { expect, it } from 'vitest'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import { judgedSample } from '../../support/oracle-agents.ts'
import { asksOf, roundsOf, saying, searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

testAnsweringPolicy(sparkle())

const { searchAll, expectPlain } = searchingWith(sparkle())
/** With answers that do not depend on the question, a few questions are enough. */
const few = (await judgedSample()).slice(0, 3)

it('thoughts without end: eight of them, then the answer is asked for once and is none', async () => {
  const results = await searchAll(
    saying({
      'You think': (call) => `<think>one more, ${call}`,
      'You decide': 'No (retrieval is not required)',
    }),
    few,
  )
  await expectPlain(results, few)
  for (const result of results)
    expect(asksOf(result)).toEqual([...Array.from({ length: 8 }, () => ['think', 'decide']).flat(), 'think'])
})

it('searches for ever: five are searched, and their facts that nobody has said are none', async () => {
  const results = await searchAll(
    saying({
      'You think': (call) => `<think>one more, ${call}`,
      'You decide': 'Yes (retrieval is required)',
      'You write the query': (call) => `Step 3: bridge ${call}`,
      'You choose': '<nobody; said; this>',
    }),
    few,
  )
  for (const result of results) {
    expect(roundsOf(result)).toBe(5)
    expect(result.answer).toBeUndefined()
    expect(result.trace.outcome.citations).toBeUndefined()
  }
})

it('the same query for ever is searched once, and its fact is chosen once', async () => {
  const results = await searchAll(
    saying({
      'You think': '<think>the same',
      'You decide': 'Yes (retrieval is required)',
      'You write the query': 'Step 3: the history of a large bridge in the north',
      'You choose': 'bridge',
    }),
    few,
  )
  for (const result of results) {
    expect(roundsOf(result)).toBe(1)
    expect(asksOf(result).filter((prompt) => prompt === 'integrate')).toHaveLength(1)
    expect(asksOf(result).filter((prompt) => prompt === 'formulate')).toHaveLength(8)
  }
})
