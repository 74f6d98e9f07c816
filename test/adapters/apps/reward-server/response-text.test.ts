import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerOf } from '../../../../adapters/apps/reward-server/response-text.ts'
import { withoutSpecialTokens } from '../../../../src/text/special-tokens.ts'

it.each([
  ['{"query": "a"}<|im_end|>', '{"query": "a"}'],
  ['{"query": "a"}<|im_end|>\n<|endoftext|><|endoftext|>', '{"query": "a"}'],
  ['{"query": "a"}</s><pad><pad>', '{"query": "a"}'],
  ['{"query": "a"}<｜end▁of▁sentence｜>', '{"query": "a"}'],
  [' <s> {"query": "a"} <end_of_turn>\n', '{"query": "a"}'],
  ['{"query": "<|im_end|> inside"}<|eot_id|>', '{"query": "<|im_end|> inside"}'],
  ['{"query": "</s>"}', '{"query": "</s>"}'],
  ['<|im_end|>', ''],
  ['', ''],
])('%j without special tokens is %j', (text, expected) => expect(withoutSpecialTokens(text)).toBe(expected))

it('takes marks off as two regular expressions would, of which the second takes the square of the time', () => {
  const mark = String.raw`<\|[^|<>\s]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn)>|\[(?:PAD|SEP|EOS)\]`
  const before = new RegExp(String.raw`^(?:\s*(?:${mark}))+`)
  const behind = new RegExp(String.raw`(?:(?:${mark})\s*)+$`)
  const pieces = [
    '<s>',
    '</s>',
    '<|a|>',
    '<|a b|>',
    '<｜a b｜>',
    '<pad>',
    '[PAD]',
    '[',
    ']',
    '<',
    '>',
    '|',
    ' ',
    '\n',
    'a',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
      const text = parts.join('')
      expect(withoutSpecialTokens(text)).toBe(text.replace(before, '').trimEnd().replace(behind, '').trim())
    }),
  )
})

it.each([
  ['before the answer', (marks: string) => `${marks}a`, 'a'],
  ['behind the answer', (marks: string) => `a${marks}`, 'a'],
  ['inside the answer', (marks: string) => `a${marks}b`, undefined],
  ['and blanks', (marks: string) => `a ${marks.replaceAll('>', '>  ')}`, 'a'],
])('takes 100,000 marks %s in no time', (_, textOf, expected) => {
  const text = textOf('<pad>'.repeat(100_000))
  const start = process.cpuUsage()
  expect(withoutSpecialTokens(text) === (expected ?? text)).toBe(true)
  // Some 20 ms of the processor; half a minute where it grows with the square.
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(2000)
})

const chat = '<|im_start|>user\nwho wrote it?<|im_end|>\n<|im_start|>assistant\n'

it.each([
  ['begins with the prompt', `${chat}{"query": "a"}<|im_end|>`, chat],
  [
    'has another prompt: it was cut on the left',
    `${chat}{"query": "a"}`,
    `<|im_start|>system\nx<|im_end|>\n${chat}`,
  ],
  ['comes without a prompt', `${chat}{"query": "a"}`, undefined],
  ['has an earlier turn of the assistant', `${chat}Hello<|im_end|>\n${chat}{"query": "a"}`, undefined],
  ['is from Llama 3', '<|start_header_id|>assistant<|end_header_id|>\n\n{"query": "a"}<|eot_id|>', undefined],
  ['is from Mistral', '<s>[INST] who? [/INST]{"query": "a"}</s>', 'other'],
  ['is the answer alone', '{"query": "a"}', 'who wrote it?'],
])('finds the answer where the text %s', (_, text, prompt) =>
  expect(answerOf(text, prompt)).toBe('{"query": "a"}'),
)

it.each([
  ['<|endoftext|><|endoftext|>Question: who?\nAnswer:{"query": "who"}', 'Question: who?\nAnswer:'],
  ['<s>Question: who?\nAnswer:{"query": "who"}</s>', 'Question: who?\nAnswer:'],
  ['<pad><pad><s>Question: who?\nAnswer:{"query": "who"}', '<s>Question: who?\nAnswer:'],
  [
    '<|endoftext|><|im_start|>user<|im_sep|>who?<|im_end|><|im_start|>assistant<|im_sep|>{"query": "who"}',
    undefined,
  ],
])('the answer in %j begins behind the prompt, whatever a batch is padded with', (text, prompt) =>
  expect(answerOf(text, prompt)).toBe('{"query": "who"}'),
)
