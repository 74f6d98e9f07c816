import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFollowUp, parseLenient, parseStrict } from '../../../policies/acqo/parse.ts'
import { isQuerentError } from '../../../src/errors.ts'
import { anyText } from '../../support/any-text.ts'
import { expectError } from '../../support/expect-error.ts'
import { fuzzRuns } from '../../support/fuzz-runs.ts'

describe('strict', () => {
  it.each([
    ['{"query": "a%%b%%c"}', ['a', 'b', 'c']],
    ['{"query": "a%%%%b"}', ['a', 'b']], // the empty part is dropped
    [' {"query": " a "}\n', ['a']],
    ['{"query": "a", "why": "b"}', ['a']],
    ['{"query": "a", "query": "b"}', ['b']], // duplicate keys: the last one, as in JSON.parse
    ['{"query": "50%% off"}', ['50', 'off']], // the known ambiguity
  ])('%s', (text, expected) => expect(parseStrict(text, 3)).toEqual(expected))

  it.each([
    '{"query": ""}',
    '{"query": " %% "}',
    '{"query": ["a"]}',
    "{'query':'a'}",
    '{"queries": "a"}',
    '"a"',
    '[{"query": "a"}]',
    'null',
    '',
    '```json\n{"query": "a"}\n```',
    'Here you are: {"query": "a"}',
    '{"query":"a"} {"query":"b"}',
    '{"query": "a%%b%%c%%d"}', // more than 3
  ])('%s is a format failure', (text) => expectError(() => parseStrict(text, 3), 'bad-completion'))
})

describe('lenient', () => {
  it.each([
    ['{"query": "a%%b"}', ['a', 'b']],
    ['```json\n{"query": "a"}\n```', ['a']],
    ['```\n{"query": "a"}\n```', ['a']],
    ['Sure. {"query": "a"} Good luck!', ['a']],
    ['Use {braces} like so: {"query": "a {b} \\" }"}', ['a {b} " }']],
    ['{"query":"a"} {"query":"b"}', ['a']],
    ['{"query": "a%%b%%c%%d"}', ['a', 'b', 'c']], // the first 3
    ['Such as {"query": "text"}: {"query": "a"}', ['a']], // the prompt's own example
    ['{"why": "b"} {"answer": {"query": "a"}}', ['a']],
    ['{"query": ["a", "b"]}', ['a', 'b']],
    ['{"queries": ["a"]}', ['a']],
    ['a %% b', ['a', 'b']], // lines where JSON was asked for
    ['Queries:\n1. a\n2. b', ['a', 'b']],
  ])('%s', (text, expected) => expect(parseLenient(text, 3)).toEqual(expected))

  it.each([
    '',
    'no object',
    'I cannot do that.',
    '{"query": "text"}',
    '{"query": "first %% second"}',
    '{"query": 3}',
    '{"query": ""}',
    '{"query": "a"',
    '{',
  ])('%s is a format failure', (text) => expectError(() => parseLenient(text, 3), 'bad-completion'))
})

it.each(['{'.repeat(200_000), '{"a":"'.repeat(50_000), `{"query": "${'x'.repeat(1e7)}"}`])(
  'what is far too long is refused before it is read (case %#)',
  (text) => {
    for (const parse of [parseStrict, parseLenient]) expectError(() => parse(text, 3), 'bad-completion')
  },
)

it('any text whatever is sub-queries or our own error', () => {
  const likely = fc.array(
    fc.constantFrom('{', '}', '"query"', ':', '"', '%%', '\\', 'a', ' ', '```json\n', '\n```', '[', ']'),
  )
  const texts = fc.oneof(
    anyText(),
    likely.map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(parseStrict, parseLenient), (text, parse) => {
      try {
        const subQueries = parse(text, 3)
        expect(subQueries.length).toBeGreaterThan(0)
        expect(subQueries.length).toBeLessThanOrEqual(3)
        expect(subQueries.every((subQuery) => subQuery.trim() === subQuery && subQuery !== '')).toBe(true)
      } catch (error) {
        expect(isQuerentError(error, 'bad-completion')).toBe(true)
      }
    }),
    { numRuns: fuzzRuns },
  )
})

it('an empty query ends a second look, and is no answer to the first', () => {
  expect(parseFollowUp('Enough: {"query": " %% "}', 3)).toEqual([])
  expect(parseFollowUp('{"query": "a %% b %% c"}', 2)).toEqual(['a', 'b'])
  expectError(() => parseFollowUp('{"query": 3}', 3), 'bad-completion')
  expectError(() => parseLenient('{"query": ""}', 3), 'bad-completion')
})
