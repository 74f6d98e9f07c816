import { expect, it } from 'vitest'
import { conversationOf } from '../../../src/training/data/conversations.ts'

it('turns that begin with the same question are one conversation, its first turn among them', () => {
  const first = { text: 'Where do the  Cardinals play?' }
  const second = {
    text: 'And the others?',
    history: [
      { role: 'user', text: 'where do the cardinals play?' },
      { role: 'agent', text: 'In Arizona.' },
    ],
  } as const
  const opened = { text: 'x', history: [{ role: 'agent', text: 'Hello!' }, ...second.history] } as const
  const greeted = { text: 'Yes.', history: [{ role: 'agent', text: 'Anything else?' }] } as const
  expect(new Set([first, second, opened].map(conversationOf)).size).toBe(1)
  expect(conversationOf(greeted)).toBe(conversationOf({ text: 'anything else?' }))
  expect(conversationOf({ text: 'And the others?' })).not.toBe(conversationOf(second))
})
