import { expect, it } from 'vitest'
import { oneLine } from '../../src/text/one-line.ts'

it.each([
  ['line breaks of all kinds', 'a\nb\r\nc\rd\u2028e\u2029f\vg\fh', 'a b c d e f g h'],
  ['runs of white space', ' \n a\t\t b \n\n', 'a b'],
  ['nothing', ' \n ', ''],
])('makes one line of %s', (_, text, line) => expect(oneLine(text)).toBe(line))

it('cuts after that, and never in the middle of a character', () => {
  expect(oneLine('a\n\n\nb\n\n\nc', 5)).toBe('a b c')
  expect(oneLine('abcdef', 5)).toBe('abcde')
  expect(oneLine('abcd😀', 5)).toBe('abcd')
  expect(oneLine(`${' '.repeat(7)}😀`, 2)).toBe('')
})
