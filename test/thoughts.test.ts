import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Prompt, runPrompt } from '../src/prompt.ts'
import { beginsThinking, spokenOnly, withoutThoughts } from '../src/thoughts.ts'
import type { ChatModel } from '../src/types.ts'

it.each([
  ['Lyon', 'Lyon'],
  ['<think>It may be Nice.</think>\n\nLyon', 'Lyon'],
  ['It may be Nice.\n</think>\nLyon', 'Lyon'],
  ['<thinking>a</thinking><thinking>b</thinking> Lyon', 'Lyon'],
  ['<THINK>Nice</Think>Lyon</s>', 'Lyon'],
  ['[THINK]Nice[/THINK]Lyon', 'Lyon'],
  ['<seed:think>Nice</seed:think>Lyon', 'Lyon'],
  [
    '<|channel|>analysis<|message|>Nice<|end|><|start|>assistant<|channel|>final<|message|>Lyon<|return|>',
    'Lyon',
  ],
  ['Lyon, <think> it is', 'Lyon, <think> it is'],
  ['<think>It may be', undefined],
  ['<think>a</think>\n<think>It may be', undefined],
  ['<think>a</think>', ''],
])('%j says %j', (completion, said) => expect(withoutThoughts(completion)).toBe(said))

/** What comes of a text in pieces of this length. */
function streamed(text: string, size: number, isThinking = false): string {
  let sent = ''
  const spoken = spokenOnly((piece) => (sent += piece), isThinking)
  for (let at = 0; at < text.length; at += size) spoken.write(text.slice(at, at + size))
  spoken.end()
  return sent
}

const likely = fc
  .array(
    fc.constantFrom('<think>', '</think>', '<', '</', 'think', '>', ' ', 'a', 'Lyon', '[THINK]', '[', '\n'),
  )
  .map((parts) => parts.join(''))

it('a stream is the same however it is cut, and has no thoughts between tags', () => {
  fc.assert(
    fc.property(likely, fc.integer({ min: 1, max: 9 }), (text, size) => {
      expect(streamed(text, size)).toBe(streamed(text, Math.max(1, text.length)))
      expect(streamed(`<think>secret ${text}</think>Lyon`, size)).not.toContain('secret')
    }),
  )
})

it('a stream without tags comes whole, with what looks like one at its end', () => {
  for (const text of ['a < b', 'Lyon <', 'x <thin', '1 [2] [3]']) expect(streamed(text, 2)).toBe(text)
})

const answer: Prompt<undefined, string> = {
  name: 'answer',
  final: true,
  render: () => [{ role: 'user', content: 'where?' }],
  parse: (text) => text,
}

/** A model that streams one text, letter by letter. */
const saying = (text: () => string): ChatModel => ({
  name: 'm',
  async complete(_, { onText } = {}) {
    for (const letter of text()) onText?.(letter)
    return { text: text(), tokens: { prompt: 0, completion: 0 } }
  },
})

it('a model streams what follows its thoughts, and at once if its last completion began without any', async () => {
  let said = 'Nice?</think>Lyon'
  const model = saying(() => said)
  const ask = async (): Promise<string> => {
    let sent = ''
    const usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    const { signal } = new AbortController()
    await runPrompt(answer, undefined, { model, usage, signal, onText: (piece) => (sent += piece) })
    return sent
  }
  expect(beginsThinking(said)).toBe(true)
  expect(await ask()).toBe('Lyon')
  said = 'Paris'
  await ask()
  expect(await ask()).toBe('Paris')
})
