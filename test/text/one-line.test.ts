import { expect, it } from 'vitest'
import { oneLine } from '../../src/text/one-line.ts'

it.each([
  ['line breaks of all kinds', 'a\nb\r\nc\rd\u2028e\u2029f\vg\fh', 'a b c d e f g h'],
  ['runs of white space', ' \n a\t\t b \n\n', 'a b'],
  ['nothing', ' \n ', ''],
  ['control characters', 'a\u0000b\u0085c\u009bd\u001be', 'a b c d e'],
  ['marks of direction and halves of characters', 'a\u202eb\u2066c\u200fd\ud800e', 'abcde'],
  ['special tokens', '</s><|im_end|>[INST]<think>', '< /s>< |im_end|>[ INST]< think>'],
  ['text that only looks like them', 'a <b> [1] x<y </p> a <| b |> c', 'a <b> [1] x<y </p> a <| b |> c'],
])('makes one line of %s', (_, text, line) => expect(oneLine(text)).toBe(line))

it('cuts after that, and never in the middle of a character', () => {
  expect(oneLine('a\n\n\nb\n\n\nc', 5)).toBe('a b c')
  expect(oneLine('abcdef', 5)).toBe('abcde')
  expect(oneLine('abcd😀', 5)).toBe('abcd')
  expect(oneLine(`${' '.repeat(7)}😀`, 2)).toBe('')
})
