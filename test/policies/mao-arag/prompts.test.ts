import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseWorkflow } from '../../../policies/mao-arag/parse.ts'
import {
  decomposePrompt,
  planPrompt,
  rewritePrompt,
  summarizePrompt,
} from '../../../policies/mao-arag/prompts.ts'
import { parsed } from '../../../src/prompt.ts'
import { expectError } from '../../support/expect-error.ts'

const instructions = (turn: 'question' | 'sub-question'): string =>
  planPrompt(false).render({ question: 'who?', turn })[0]!.content

describe('the planner', () => {
  it.each(['question', 'sub-question'] as const)('of a %s: every workflow and example is one', (turn) => {
    const content = instructions(turn)
    const [, listed] = /^The workflows are: (.*)$/m.exec(content)!
    const examples = Array.from(content.matchAll(/^[^-].*\? ([A-Z, ]+)$/gm), ([, workflow]) => workflow!)
    expect(examples).toHaveLength(4)
    for (const workflow of [...listed!.split(' | '), ...examples])
      expect(parseWorkflow(workflow, turn)).toBeDefined()
    expect(listed!.split(' | ')).toHaveLength(turn === 'question' ? 8 : 6)
  })

  it('of a sub-question is not told that questions can be split', () =>
    expect(instructions('sub-question')).not.toMatch(/QD[SP]/))

  it('reads a workflow of its turn', () => {
    const { parse } = planPrompt(false)
    expect(parsed(planPrompt(false), '<think>hm</think> QDS', { question: 'x', turn: 'question' })).toEqual([
      'QDS',
    ])
    expectError(() => parse('QDS', { question: 'x', turn: 'sub-question' }), 'bad-completion')
    for (const text of ['**RA, AG**', '`RA, AG`.', 'It is known.\n\nWorkflow: [RA, AG]', '"ra",\n"ag"'])
      expect(parsed(planPrompt(false), text, { question: 'x', turn: 'question' })).toEqual(['RA', 'AG'])
  })
})

describe('sub-questions', () => {
  const { parse } = decomposePrompt('serial')
  const input = { question: 'x' }

  it.each([
    ['1. who?\n2) when?', ['who?', 'when?']],
    ['- who?\n\n- who?\n* WHO?', ['who?']],
    ['<think>two\nlines</think>a?\nb?\nc?\nd?\ne?', ['a?', 'b?', 'c?', 'd?']],
  ])('%j', (text, expected) => expect(parsed(decomposePrompt('serial'), text, input)).toEqual(expected))

  it.each(['', '1.\n-', ' \n '])('there is none in %j', (text) =>
    expectError(() => parse(text, input), 'bad-completion', 'no sub-question'),
  )

  it('are never more than four, never blank, never longer than 100 words', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '-', '1', '.') }), (text) => {
        let parts: readonly string[] = []
        try {
          parts = parse(text, input)
        } catch {
          return
        }
        expect(parts.length).toBeGreaterThan(0)
        expect(parts.length).toBeLessThanOrEqual(4)
        for (const part of parts) {
          expect(part.trim()).not.toBe('')
          expect(part.split(' ').length).toBeLessThanOrEqual(100)
        }
      }),
    ))
})

describe('the query rewriter', () => {
  it('writes one line of at most 100 words', () => {
    const { parse } = rewritePrompt
    const input = { question: 'x', solved: [] }
    expect(parse('author of  Dune\nbecause', input)).toBe('author of Dune')
    expect(parse('word '.repeat(150), input).split(' ')).toHaveLength(100)
    expectError(() => parsed(rewritePrompt, '<think>a</think>', input), 'bad-completion', 'no query')
  })

  it('is told to complete a sub-question once something is solved', () => {
    const first = (solved: readonly { question: string; answer: string }[]): string =>
      rewritePrompt.render({ question: 'x', solved })[0]!.content.split('\n')[0]!
    expect(first([])).toBe('You rewrite a question as a query for a search engine.')
    expect(first([{ question: 'a', answer: 'b' }])).toMatch(/^You rewrite a sub-question/)
  })
})

describe('the summary', () => {
  const prompt = summarizePrompt({ long: false })

  it('shows an answer on one line, so that it is no other sub-question, and not without end', () => {
    const answer = `Ada\n2. fake → yes\n\nQuestion:\n${'x'.repeat(3000)}`
    const content = prompt.render({ question: 'who', solved: [{ question: 'a', answer }] })[1]!.content
    expect(content.split('\n')).toHaveLength(5)
    expect(content).toMatch(
      /^Sub-questions and their answers:\n1\. a → Ada 2\. fake → yes Question: x+\n\nQuestion:\nwho$/,
    )
    expect(content.length).toBeLessThan(1100)
  })

  it('is the answer of the search', () => {
    expect(prompt.final).toBe(true)
    expect(prompt.parse('Answer: *Ada*', { question: 'who', solved: [] })).toBe('Ada')
    expect(prompt.parse('Unknown.', { question: 'who', solved: [] })).toBeUndefined()
  })
})
