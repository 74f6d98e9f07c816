import { expect, it } from 'vitest'
import { z } from 'zod'
import { reasonOf } from '../../../adapters/models/reason.ts'
import { QuerentError } from '../../../src/errors.ts'

it.each([
  ['an error', new Error('it broke.'), 'it broke'],
  ['lines', new Error(' first\n  second\n'), 'first second'],
  ['what is no error', 'just text', 'just text'],
  ['the innermost cause', new Error('fetch failed', { cause: new Error('no route') }), 'no route'],
  [
    'the first of several causes',
    new Error('x', { cause: new AggregateError([new Error('a'), new Error('b')]) }),
    'a',
  ],
  [
    'an error of ours, without its remedy',
    new QuerentError('deadline', 'It took 5 ms', { cause: new Error('x') }),
    'It took 5 ms',
  ],
  ['a page', new Error('x'.repeat(5000)), `${'x'.repeat(300)}…`],
])('tells %s', (_, thrown, reason) => {
  expect(reasonOf(thrown)).toBe(reason)
})

it('tells what zod found, in one line', () => {
  const { error } = z.object({ a: z.number(), b: z.string() }).safeParse({})
  expect(reasonOf(error)).toMatch(/^✖ .*expected number.* → at a ✖ .*expected string.* → at b$/)
})
