import { expect, it } from 'vitest'
import { answerOf, withoutSpecialTokens } from '../../../src/training/reward-server/response-text.ts'

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
