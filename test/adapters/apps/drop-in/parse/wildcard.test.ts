/** Names with `*` in them, as engines match them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matches } from '../../../../../adapters/apps/drop-in/parse/json.ts'

it.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['a*', 'a', true],
  ['a*', 'abc', true],
  ['*c', 'abc', true],
  ['a*c', 'ac', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'acb', false],
  ['*', '', true],
  ['**', 'x', true],
  ['*b*', 'abc', true],
  ['ab*b', 'ab', false],
  ['a.c', 'abc', false],
  ['', '', true],
  ['', 'a', false],
])('%j and %j: %s', (pattern, name, expected) => expect(matches(pattern, name)).toBe(expected))

it('is what the regular expression with `.*` for each star says', () => {
  const text = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 7 })
  fc.assert(
    fc.property(text('ab*'), text('ab'), (pattern, name) => {
      expect(matches(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name))
    }),
  )
})

it('ends at once for many stars, where a regular expression would not', () =>
  expect(matches(`${'*a'.repeat(30)}*b`, 'a'.repeat(5000))).toBe(false))
