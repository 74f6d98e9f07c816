import { expect, it } from 'vitest'
import { answerLines } from '../../../src/cli/output/hits.ts'

const cited = (...docids: readonly string[]) => docids.map((docid) => ({ docid }))

it('has the marks of the documents that it was read from, which are listed below it', () => {
  expect(answerLines('42', [{ docid: 'a', title: 'The Guide' }])).toEqual(['42 [1]', '  [1] The Guide (a)'])
  expect(answerLines('42', cited('a', 'b', 'c'))[0]).toBe('42 [1] [2] [3]')
  expect(answerLines('42', cited('a', 'b', 'c', 'd'))[0]).toBe('42 [1]–[4]')
})

it('keeps marks of its own, and lists only what they name', () =>
  expect(answerLines('It is [2].', cited('a', 'b'))).toEqual(['It is [2].', '  [2] b']))

it('says so if it was read from no document', () =>
  expect(answerLines('42', [])).toEqual(['42', "(read from no document: the model's own knowledge)"]))
