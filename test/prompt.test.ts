import { expect, it } from 'vitest'
import { errorTable, QuerentError } from '../src/errors.ts'
import { type Prompt, type PromptRun, runPrompt, type Usage } from '../src/prompt.ts'
import type { ChatModel } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { scriptedChat } from './support/scripted.ts'

const number: Prompt<string, number> = {
  name: 'count',
  temperature: 0,
  maxTokens: 5,
  render: (what) => [{ role: 'user', content: `How many ${what}?` }],
  parse(text) {
    if (!/^\d+$/.test(text)) throw new Error('not a number')
    return Number(text)
  },
}
const none = (): Usage => ({ attempts: 0, tokens: { prompt: 0, completion: 0 } })
const { signal } = new AbortController()
const run = (model: ChatModel, usage: Usage): PromptRun => ({ model, usage, signal, onText: undefined })

it('renders, completes and parses', async () => {
  const usage = none()
  const chat = scriptedChat(['42'])
  expect(await runPrompt(number, 'stars', run(chat, usage))).toBe(42)
  expect(chat.calls[0]?.messages).toEqual([{ role: 'user', content: 'How many stars?' }])
  expect(usage).toEqual({ attempts: 1, tokens: { prompt: 10, completion: 5 }, output: '42' })
})

it('shows an answer that it cannot parse to the model once, with the reason', async () => {
  const usage = none()
  const chat = scriptedChat(['many', '42'])
  expect(await runPrompt(number, 'stars', run(chat, usage))).toBe(42)
  expect(chat.calls[1]?.messages).toEqual([
    { role: 'user', content: 'How many stars?' },
    { role: 'assistant', content: 'many' },
    { role: 'user', content: expect.stringContaining('not a number') },
  ])
  expect(usage).toMatchObject({ attempts: 2, tokens: { prompt: 20, completion: 10 } })
})

it('leaves the advice for people out of what it says to the model', async () => {
  const strict: Prompt<string, never> = {
    ...number,
    parse() {
      throw new QuerentError('bad-completion', 'it is not JSON')
    },
  }
  const chat = scriptedChat(['a', 'b'])
  const { remedy } = errorTable['bad-completion']
  const error = (await runPrompt(strict, 'stars', run(chat, none())).catch(
    (thrown: unknown) => thrown,
  )) as Error
  expect(chat.calls[1]?.messages.at(-1)?.content).toContain('it is not JSON. Answer once more')
  expect(chat.calls[1]?.messages.at(-1)?.content).not.toContain(remedy)
  expect(error.message.split(remedy)).toHaveLength(2)
})

it('asks no third time', async () => {
  const chat = scriptedChat(['many', 'very many', '42'])
  await expectError(runPrompt(number, 'stars', run(chat, none())), 'bad-completion', /"count".*scripted/)
  expect(chat.calls).toHaveLength(2)
})

it("passes on the model's own error", async () => {
  const down = new Error('down')
  await expect(runPrompt(number, 'stars', run(scriptedChat([down]), none()))).rejects.toBe(down)
})
