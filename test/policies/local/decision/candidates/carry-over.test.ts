import { expect, it } from 'vitest'
import { carryOversOf } from '../../../../../policies/local/decision/candidates/carry-over.ts'
import type { Turn } from '../../../../../src/types.ts'
import { ask, conversation } from '../../../../support/question.ts'

function carryOvers(text: string, history: readonly Turn[], common = ''): string[] {
  const { query, question, lexicon } = ask(text, { history, common })
  return carryOversOf(query, question, lexicon)
}

it('abstains without a conversation', () => {
  expect(carryOvers('And its height?', [])).toEqual([])
  expect(carryOvers('And its height?', [{ role: 'agent', text: 'Welcome! Ask about bridges.' }])).toEqual([])
})

it('carries over what the user said, and what turns share', () => {
  const history = conversation(
    'Who built the Forth Bridge?',
    'Fowler and Baker built it. Baker was knighted for the bridge.',
    'Where was Baker born?',
    'In Frome, a town in Somerset: Frome is near Bath.',
  )
  const [users, shared, ...others] = carryOvers('And Fowler?', history)
  // "Fowler" stands in the question; "who", "the", "where" and "was" say nothing.
  expect(users).toBe('And Fowler? And Fowler? And Fowler? built Forth Bridge Baker born')
  // Of the four turns, "built", "Bridge" and "Baker" are in two each.
  expect(shared).toBe('And Fowler? And Fowler? And Fowler? built Bridge Baker')
  expect(others).toEqual([])
})

it('takes the six heaviest words that turns share', () => {
  const turn = 'Which small red stone bridge crosses Ouse near York since 1850 and leads north?'
  const [, shared] = carryOvers('How long?', conversation(turn, turn), 'small red stone bridg')
  expect(shared).toBe('How long? How long? How long? crosses Ouse near York since 1850')
})

it('leaves a text out for which there is no word', () => {
  // The answer says what the question says; no two turns share a word.
  expect(carryOvers('Is Lendal Bridge old?', conversation('Hello', 'Lendal Bridge is old.'))).toEqual([
    'Is Lendal Bridge old? Is Lendal Bridge old? Is Lendal Bridge old? Hello',
  ])
})

it('carries over a limited number of words, and nothing into a long question', () => {
  const long = Array.from({ length: 500 }, (_, place) => `word${place}`).join(' ')
  for (const text of carryOvers('And then?', conversation(long, long, long)))
    expect(text.split(' ').length).toBeLessThanOrEqual(3 * 2 + 40)
  expect(carryOvers(long, conversation('Hello', 'Hi'))).toEqual([])
})
