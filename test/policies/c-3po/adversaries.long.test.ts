import { expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { asksOf, roundsOf, saying, searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

testAnsweringPolicy(c3po())

const { searchAll, expectPlain } = searchingWith(c3po())

it('searches for ever: each in other words, four are searched and four are judged', async () => {
  const results = await searchAll(
    saying(
      {
        'You decide how': '[Planning]',
        'You plan how': 'Search.',
        'You decide what': (call) => `Thought: more. Action: [Retrieval] bridge ${call}`,
        'You judge': 'Thought: one. Action: [1]',
      },
      'unknown',
    ),
  )
  const rounds = Array.from({ length: 4 }, () => ['decide', 'filter'])
  for (const result of results) {
    expect(roundsOf(result)).toBe(4)
    expect(asksOf(result)).toEqual(['router', 'plan', ...rounds.flat(), 'answer'])
  }
})

it('the same search for ever: one request, and a further page each time', async () => {
  const results = await searchAll(
    saying({
      'You decide how': '[Planning]',
      'You plan how': 'Search.',
      'You decide what': 'Thought: more. Action: [Retrieval] the history of a large bridge in the north',
      'You judge': 'Thought: two. Action: [1, 2]',
      'You answer': 'a bridge',
    }),
  )
  for (const result of results) {
    const { answer, citations } = result
    expect(roundsOf(result)).toBe(1)
    expect(answer).toBe('a bridge')
    expect(new Set(citations).size).toBe(citations!.length)
    expect(citations!.length).toBeGreaterThan(2)
  }
})

it('numbers of no document, and what is no action, are as good as nothing', async () =>
  expectPlain(
    await searchAll(
      saying({
        'You decide how': '[Search] bridges',
        'You judge': 'Thought: all. Action: [one, two]',
      }),
    ),
  ))
