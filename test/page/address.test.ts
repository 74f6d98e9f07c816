import { expect, it } from 'vitest'
import { addressOf, formOf } from '../../src/page/address.ts'

it('an address gives back the form that it was made of', () => {
  for (const form of [
    { text: 'who wrote "it" & why?', k: 10, history: [], shape: 'after' },
    { text: 'ü+%', k: 3, history: [], beside: 'none', shape: 'judge' },
  ] as const)
    expect(formOf(addressOf(form), ['none'])).toEqual(form)
})

it('keeps the conversation out of the address, and takes it from the state of the history', () => {
  const history = [{ role: 'user', text: 'a secret' } as const]
  expect(addressOf({ text: 'who', k: 10, history, shape: 'after' })).toBe('?q=who')
  expect(formOf('?q=who', [], history).history).toEqual(history)
  for (const state of [null, 'x', [{ role: 'x', text: 'y' }]])
    expect(formOf('?q=who', [], state).history).toEqual([])
})

it.each(['?k=0', '?k=101', '?k=ten', '?k=2.5', '?beside=other', '?view=other', ''])(
  '%s is the usual form',
  (address) => {
    expect(formOf(address, ['none'])).toEqual({ text: '', k: 10, history: [], shape: 'after' })
  },
)
