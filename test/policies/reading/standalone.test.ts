import { expect, it } from 'vitest'
import { standalone, standalonePrompt } from '../../../policies/reading/standalone.ts'
import type { Tools } from '../../../src/policy.ts'

const history = [
  { role: 'user', text: 'Who built the Eiffel Tower?' },
  { role: 'agent', text: "Gustave Eiffel's company." },
] as const

/** Tools whose model answers so, and what it was shown. */
function answering(answer: string | Error) {
  const shown: string[] = []
  const tools: Pick<Tools, 'ask'> = {
    async ask(prompt, input) {
      shown.push(prompt.render(input).at(-1)!.content)
      if (answer instanceof Error) throw answer
      return prompt.parse(answer, input)
    },
  }
  return { tools, shown }
}

it('nobody is asked where there is no conversation', async () => {
  const { tools, shown } = answering('{"query": "else"}')
  expect(await standalone({ text: 'How tall is it?' }, tools)).toBe('How tall is it?')
  expect(await standalone({ text: 'How tall is it?', history: [] }, tools)).toBe('How tall is it?')
  expect(await standalone({ text: 'How tall is it?', intent: ' ' }, tools)).toBe('How tall is it?')
  expect(shown).toEqual([])
})

it('one prompt sees the conversation and gives one question', async () => {
  const { tools, shown } = answering('"How tall is the Eiffel Tower?"\n\nI hope this helps.')
  const query = { text: 'How tall is it?', history }
  expect(await standalone(query, tools)).toBe('How tall is the Eiffel Tower?')
  expect(shown).toEqual([
    "Conversation so far:\nQ1: Who built the Eiffel Tower?\nA1: Gustave Eiffel's company.\n\nCurrent question:\nHow tall is it?",
  ])
  expect(standalonePrompt.name).toBe('reading/standalone')
})

it('what the search is for stands before the question, with a conversation and without one', async () => {
  const { tools, shown } = answering('Question: Eiffel Tower height for a climber')
  const query = { text: 'How tall is it?', intent: ' I plan a climb. ' }
  expect(await standalone(query, tools)).toBe('Eiffel Tower height for a climber')
  await standalone({ ...query, history }, tools)
  expect(shown).toEqual([
    'What the search is for:\nI plan a climb.\n\nCurrent question:\nHow tall is it?',
    "Conversation so far:\nQ1: Who built the Eiffel Tower?\nA1: Gustave Eiffel's company.\n\nWhat the search is for:\nI plan a climb.\n\nCurrent question:\nHow tall is it?",
  ])
})

it.each(['It is 330 m tall.', 'The tower is 330 m tall.', 'none', new Error('late')])(
  'the text stays after %s',
  async (answer) => {
    const { tools } = answering(answer)
    expect(await standalone({ text: 'How tall is it?', history }, tools)).toBe('How tall is it?')
  },
)
