import { expect, it } from 'vitest'
import { count } from '../../../src/cli/output/words.ts'

it('counts one thing, none, and many', () => {
  expect(count(1, 'document')).toBe('1 document')
  expect(count(0, 'document')).toBe('0 documents')
  expect(count(2, 'query', 'queries')).toBe('2 queries')
})
