import { expect, it } from 'vitest'
import { agentic } from '../../../policies/agentic/agentic.ts'
import { none } from '../../../policies/none.ts'
import { asksOf, roundsOf, saying, searchingWith, testAnsweringPolicy } from '../reading/conformance.ts'

const policy = agentic({ policy: none(), maxRounds: 3 })
testAnsweringPolicy(policy)

const { searchAll, expectPlain } = searchingWith(policy)

it('searches for ever, each time in other words: the last prompt is the answer, and nothing is searched after it', async () => {
  const results = await searchAll(
    saying({ 'You read what': (call) => `Search: bridge ${call}\nSearch: river ${call}\nDocuments: none` }),
  )
  for (const result of results) {
    expect(asksOf(result)).toEqual(['round', 'round', 'round'])
    expect(roundsOf(result)).toBe(2)
    expect(result.answer).toBeUndefined()
  }
})

it('the same search for ever: it is searched once', async () => {
  const results = await searchAll(saying({ 'You read what': 'Search: a large bridge\nDocuments: 1' }))
  for (const result of results) {
    expect(roundsOf(result)).toBe(1)
    expect(asksOf(result).length).toBeLessThanOrEqual(3)
  }
})

it('the format itself, and numbers of no document, are as good as nothing', async () => {
  await expectPlain(await searchAll(saying({ 'You read what': 'Answer: the answer\nDocuments: 2, 5' })))
  await expectPlain(await searchAll(saying({ 'You read what': 'Answer: unknown\nDocuments: 40, 50' })))
})
