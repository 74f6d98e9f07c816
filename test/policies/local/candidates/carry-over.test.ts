import { expect, it } from 'vitest'
import { carryOversOf } from '../../../../policies/local/candidates/carry-over.ts'
import type { Turn } from '../../../../src/types.ts'
import { ask, conversation } from '../../../support/question.ts'

function carryOvers(text: string, history: readonly Turn[], common = ''): (string | undefined)[] {
  const { query, question, lexicon } = ask(text, { history, common })
  return carryOversOf(query, question, lexicon)
}

it('abstains without a conversation', () => {
  expect(carryOvers('And its height?', [])).toEqual([])
  expect(carryOvers('And its height?', [{ role: 'agent', text: 'Welcome! Ask about bridges.' }])).toEqual([])
})

it('carries over what the user said, the turn before, what turns share, and what the answer is about', () => {
  const history = conversation(
    'Who built the Forth Bridge?',
    'Fowler and Baker built it. Baker was knighted for the bridge.',
    'Where was Baker born?',
    'In Frome, a town in Somerset: Frome is near Bath.',
  )
  const [users, before, shared, answer] = carryOvers('And Fowler?', history)
  // "Fowler" stands in the question; "who", "the", "where" and "was" say nothing.
  expect(users).toBe('And Fowler? And Fowler? And Fowler? built Forth Bridge Baker born')
  expect(before).toBe('And Fowler? Baker born')
  // Of the four turns, "built", "Bridge" and "Baker" are in two each.
  expect(shared).toBe('And Fowler? And Fowler? And Fowler? built Bridge Baker')
  // "Frome" twice, the others once, in their order.
  expect(answer).toBe('And Fowler? And Fowler? And Fowler? Frome town Somerset near')
})

it('takes the heavy words first, six of a turn', () => {
  const turn = 'Which small red stone bridge crosses Ouse near York since 1850 and leads north?'
  const [, before] = carryOvers('How long?', conversation(turn, 'Lendal.'), 'small red stone bridg')
  expect(before).toBe('How long? crosses Ouse near York since 1850')
})

it('leaves a place empty where there is no word to add', () => {
  // The answer says what the question says; no two turns share a word.
  expect(carryOvers('Is Lendal Bridge old?', conversation('Hello', 'Lendal Bridge is old.'))).toEqual([
    'Is Lendal Bridge old? Is Lendal Bridge old? Is Lendal Bridge old? Hello',
    'Is Lendal Bridge old? Hello',
    undefined,
    undefined,
  ])
})

it('carries over a limited number of words, and nothing into a long question', () => {
  const long = Array.from({ length: 500 }, (_, place) => `word${place}`).join(' ')
  for (const text of carryOvers('And then?', conversation(long, long, long)))
    expect((text ?? '').split(' ').length).toBeLessThanOrEqual(3 * 2 + 40)
  expect(carryOvers(long, conversation('Hello', 'Hi'))).toEqual([])
})
