import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../../src/errors.ts'
import { parsed } from '../../../src/prompt.ts'
import { judgePrompt, judgeWith } from '../../../src/training/rollouts/judge.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { prompting } from '../../support/prompting.ts'
import { scriptedChat } from '../../support/scripted.ts'

const { signal } = new AbortController()
const asked = { question: 'Who wrote it?', answers: ['Ada Lovelace', 'Countess\nof Lovelace'], given: 'Ada' }

it('is asked so', () => {
  expect(judgePrompt.render(asked)).toEqual(
    prompting(
      `You judge whether an answer to a question is right. You are given the accepted answers.

- It is right if it means the same as one of the accepted answers, in whatever words and format.
- Numbers and dates may be written otherwise, and rounded within reason.
- It is wrong if it says something else, leaves out what was asked for, or does not decide.
- Answer with one word and nothing else: True or False`,
      `Question:
Who wrote it?

Accepted answers:
- Ada Lovelace
- Countess of Lovelace

Answer to judge:
- Ada`,
    ),
  )
  expect(judgePrompt.temperature).toBe(0)
})

it.each([
  ['True', 1],
  ['**true**.', 1],
  ['<think>hm</think> "True"', 1],
  ['False', 0],
  ['false: it is another one, which is true', 0],
])('%j is %i', (text, reward) => expect(parsed(judgePrompt, text, asked)).toBe(reward))

describe('judgeWith', () => {
  it('judges the same answer to the same question once', async () => {
    const model = scriptedChat(['True', 'False'])
    const { judge } = judgeWith(model)
    expect(await Promise.all([judge(asked, signal), judge(asked, signal)])).toEqual([1, 1])
    expect(await judge({ ...asked, given: 'Byron' }, signal)).toBe(0)
    expect(model.calls).toHaveLength(2)
  })

  it('judges the same answer again where other answers are accepted', async () => {
    const model = scriptedChat(['True', 'False'])
    const { judge } = judgeWith(model)
    expect(await judge(asked, signal)).toBe(1)
    expect(await judge({ ...asked, answers: ['Byron'] }, signal)).toBe(0)
    expect(model.calls).toHaveLength(2)
  })

  it('goes on for those who wait where another leaves', async () => {
    const clock = manualClock()
    const { judge } = judgeWith(scriptedChat(['True'], { ms: 10, clock }))
    const leaving = new AbortController()
    const first = judge(asked, leaving.signal)
    const second = judge(asked, signal)
    leaving.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    await clock.advance(10)
    expect(await second).toBe(1)
  })

  it('counts what it cannot read as wrong, and says how often', async () => {
    const judge = judgeWith(
      scriptedChat(['This is not true.', new QuerentError('bad-completion', 'cut off')]),
    )
    expect(await judge.judge(asked, signal)).toBe(0)
    expect(await judge.judge({ ...asked, given: 'Byron' }, signal)).toBe(0)
    expect(judge.unjudged).toBe(2)
  })

  it('asks nobody about no answer', async () => {
    const model = scriptedChat([])
    expect(await judgeWith(model).judge({ ...asked, given: ' ' }, signal)).toBe(0)
    expect(model.calls).toEqual([])
  })

  it('does not remember that a model failed', async () => {
    const { judge } = judgeWith(scriptedChat([new Error('down'), 'True']))
    await expect(judge(asked, signal)).rejects.toThrow('down')
    expect(await judge(asked, signal)).toBe(1)
  })
})
