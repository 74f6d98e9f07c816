import { describe, expect, it } from 'vitest'
import { answerLines, liveSearch } from '../../../src/cli/output/hits.ts'
import { testTerminal } from '../../support/test-terminal.ts'

const cited = (...docids: readonly string[]) => docids.map((docid) => ({ docid }))

it('has the marks of the documents that it was read from, which are listed below it', () => {
  expect(answerLines('42', [{ docid: 'a', title: 'The Guide' }])).toEqual(['42 [1]', '  [1] The Guide (a)'])
  expect(answerLines('42', cited('a', 'b', 'c'))[0]).toBe('42 [1] [2] [3]')
  expect(answerLines('42', cited('a', 'b', 'c', 'd'))[0]).toBe('42 [1]–[4]')
})

it('says where a document can be opened', () =>
  expect(answerLines('42', [{ docid: 'a', title: 'The Guide', url: 'https://guide.example/a' }])[1]).toBe(
    '  [1] The Guide (a) https://guide.example/a',
  ))

it('keeps marks of its own, and lists only what they name', () =>
  expect(answerLines('It is [2].', cited('a', 'b'))).toEqual(['It is [2].', '  [2] b']))

it('says so if it was read from no document', () =>
  expect(answerLines('42', [])).toEqual(['42', "(read from no document: the model's own knowledge)"]))

describe('liveSearch', () => {
  const step = (type: string, ...texts: readonly string[]) =>
    ({ search: {}, step: { type, subQueries: texts.map((text) => ({ text, round: 1 })) } }) as never

  it('says what a model asks for, and not what the local policy searches beside it', () => {
    const terminal = testTerminal()
    const { observe, onText } = liveSearch(terminal)
    for (const event of [
      step('retrieve', 'the question'),
      step('ask'),
      step('retrieve', 'first', 'second'),
      step('retrieve', 'beside'),
      step('rerank'),
      step('ask'),
    ])
      observe.onStepStart!(event)
    expect(terminal.errors()).toBe('searching: first; second\n')
    expect(onText).toBeUndefined()
  })

  it('writes the answer to a terminal while it is written, and the rest of its lines afterwards', () => {
    const terminal = testTerminal()
    Object.assign(terminal.stdout, { isTTY: true })
    const { onText, unwritten } = liveSearch(terminal)
    expect(unwritten(['In Tacoma [1]', ''])).toEqual(['In Tacoma [1]', ''])
    onText!('In ')
    onText!('Tacoma')
    expect(terminal.output()).toBe('In Tacoma')
    expect(unwritten(['In Tacoma [1]', ''])).toEqual([' [1]', ''])
    // It was another one in the end.
    expect(unwritten(['Elsewhere'])).toEqual(['', 'Elsewhere'])
  })
})
