/** Text in Lucene's syntax: which text has operators, and what is left of it without them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasOperators, isSyntax, withoutOperators } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { anyText } from '../../../../support/any-text.ts'

const clauses = ['query_string', 'simple_query_string'] as const

describe('hasOperators', () => {
  it.each(['who built the bridge', 'x-ray', "l'été", '10,000 words.', 'and or not', 'ANDROID'])(
    'is false of the words %j',
    (text) => expect(clauses.map((clause) => hasOperators(text, clause))).toEqual([false, false]),
  )

  it.each(['+a b', 'a | b', '"a b"', 'bridg*', '(a) b', 'a~2', 'a \\b', '-a', 'a -b'])(
    'is true of %j in both clauses',
    (text) => expect(clauses.map((clause) => hasOperators(text, clause))).toEqual([true, true]),
  )

  it.each(['who?', 'a:b', 'a/b', 'a^2', 'a AND b', 'NOT a', '[a TO b]', 'a && b', 'x=1', '{a}', 'a > b'])(
    'is true of %j in a query_string alone',
    (text) => expect(clauses.map((clause) => hasOperators(text, clause))).toEqual([true, false]),
  )

  it('is false in clauses that have no syntax', () => expect(hasOperators('+a "b"', 'match')).toBe(false))
})

describe('withoutOperators', () => {
  it.each([
    ['a +b -"c d" (e OR NOT f)~2 g* h:i \\ j/k? x-y AND', 'a b c d e or not f 2 g h i j k x y and'],
    ['who built it?', 'who built it'],
    ["l'été d’Anaïs", "l'été d’Anaïs"],
    ['東京 の 橋', '東京 の 橋'],
    ['+++', ''],
  ])('of %j is %j', (text, words) => expect(withoutOperators(text)).toBe(words))

  it('has no operator left in any clause, whatever it was made of', () => {
    const piece = fc.constantFrom(
      ...[
        '+',
        '-',
        '"',
        '*',
        '(',
        ')',
        '~',
        '\\',
        '|',
        '!',
        '?',
        ':',
        '/',
        '^',
        '=',
        '<',
        '>',
        '&&',
        '{',
        ']',
      ],
      ...['AND', 'OR', 'NOT', 'a', 'été', ' ', '\u0301', '7'],
    )
    const text = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      anyText(),
    )
    fc.assert(
      fc.property(text, (one) => {
        const words = withoutOperators(one)
        for (const clause of clauses) expect(hasOperators(words, clause)).toBe(false)
        expect(withoutOperators(words)).toBe(words)
      }),
    )
  })
})

it('isSyntax is true of the query of these clauses, wherever they stand', () => {
  expect(isSyntax(['query', 'query_string', 'query'])).toBe(true)
  expect(isSyntax(['query', 'bool', 'must', 0, 'simple_query_string', 'query'])).toBe(true)
  expect(isSyntax(['query', 'multi_match', 'query'])).toBe(false)
  expect(isSyntax(['query', 'query_string', 'default_field'])).toBe(false)
})
