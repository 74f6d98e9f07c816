import { describe, expect, it } from 'vitest'
import { rewritePrompt, type Template } from '../../../policies/acqo/prompt.ts'
import type { Turn } from '../../../src/types.ts'

const history: Turn[] = [
  { role: 'user', text: 'Who built the tower?' },
  { role: 'agent', text: "Gustave Eiffel's\ncompany." },
  { role: 'user', text: 'When?' },
  { role: 'agent', text: 'In 1889.' },
]
const make = (settings: { decompose?: boolean; template?: Template } = {}) =>
  rewritePrompt({ decompose: true, maxSubQueries: 3, strict: false, template: undefined, ...settings })

describe('the prompt', () => {
  it('shows the conversation first and the question last, in the last user message', () => {
    const messages = make().render({ question: 'And how tall is it?', history })
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user'])
    const last = messages.at(-1)?.content ?? ''
    expect(last).toContain("Q1: Who built the tower?\nA1: Gustave Eiffel's company.\nQ2: When?\nA2: In 1889.")
    expect(last.endsWith('And how tall is it?')).toBe(true)
  })

  it('shows what the search is for before the question, cut like the conversation', () => {
    const messages = make().render({ question: 'q', history, intent: `${'x'.repeat(7000)} to book a visit` })
    const last = messages.at(-1)?.content ?? ''
    expect(last).toMatch(
      /A2: In 1889\.\n\nWhat the search is for:\n…x+ to book a visit\n\nCurrent question:\nq$/,
    )
    expect(last.length).toBeLessThan(6200)
    const own = make({ template: '{context} | {question}' })
    expect(own.render({ question: 'q', history: [], intent: 'to book' })[0]?.content).toBe(
      'What the search is for:\nto book | q',
    )
  })

  it('names the grammar and the limit; without decomposition there is no word of several queries (Figure 7b)', () => {
    const whole = make().render({ question: 'q', history: [] })[0]?.content
    expect(whole).toContain('{"query": "text"}')
    expect(whole).toContain('%%')
    expect(whole).toContain('3 at the most')
    const single = make({ decompose: false }).render({ question: 'q', history: [] })[0]?.content
    expect(single).not.toMatch(/%%|several/)
    expect(make({ decompose: false }).parse('{"query": "a %% b"}', { question: 'q', history: [] })).toEqual([
      'a',
    ])
  })

  it('shows the end of a conversation that is too long, also of one long turn', () => {
    const many: Turn[] = Array.from({ length: 200 }, (_, turn) => ({
      role: 'user',
      text: `turn ${turn} ${'x'.repeat(100)}`,
    }))
    const one: Turn[] = [{ role: 'agent', text: `begin ${'y'.repeat(20_000)} finish` }]
    for (const [history, shown, cut] of [
      [many, 'Q200: turn 199', 'turn 0 '],
      [one, 'yyy finish', 'begin'],
    ] as const) {
      const content = make().render({ question: 'q', history }).at(-1)?.content ?? ''
      expect(content.length).toBeLessThan(6200)
      expect(content).toContain(shown)
      expect(content).not.toContain(cut)
    }
  })

  it("takes a template of one's own, and never braces in the user's words for places", () => {
    const question = 'what does {context} mean, $& and {question}?'
    const text = make({ template: 'C={context} Q={question}' }).render({
      question,
      history: history.slice(2, 3),
    })
    expect(text).toEqual([{ role: 'user', content: `C=Q1: When? Q=${question}` }])
    const own = make({ template: ({ question }) => [{ role: 'user', content: question.toUpperCase() }] })
    expect(own.render({ question: 'q', history: [] })).toEqual([{ role: 'user', content: 'Q' }])
  })
})
