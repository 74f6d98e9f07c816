import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerMetrics, scoreAnswers } from '../../src/evaluation/answer-metrics.ts'

const qrels = new Map([
  [
    'q1',
    new Map([
      ['a', 1],
      ['b', 2],
      ['c', 0],
    ]),
  ],
])

const scoresOf = (answer: string | undefined, citations: readonly string[] = [], accepted = ['Rome']) => {
  const given = new Map([['q1', answer === undefined ? {} : { answer, citations }]])
  return Object.fromEntries(scoreAnswers(given, new Map([['q1', accepted]]), qrels, ['q1', 'q2']).means)
}

describe('metrics of answers', () => {
  it.each([
    ['the accepted answer', scoresOf('the rome.', ['a', 'b']), [1, 1, 1, 1]],
    ['the best of several', scoresOf('Rome', [], ['Ostia', 'Rome']), [1, 1, 1, 0]],
    ['one word of two', scoresOf('ancient Rome', ['a']), [0, 2 / 3, 1, 1 / 2]],
    [
      'citations of documents that are not relevant, and twice',
      scoresOf('Pisa', ['c', 'x', 'b', 'b']),
      [0, 0, 1, 1 / 2],
    ],
    ['no answer', scoresOf(undefined), [0, 0, 0, 0]],
  ])('%s', (_, scores, [em, answer_f1, answered, cited_recall]) => {
    expect(scores).toEqual({ em, answer_f1, answered, cited_recall })
  })

  it('leave out queries without accepted answers, and do not exist if there are no others', () => {
    const { values } = scoreAnswers(
      new Map(),
      new Map([
        ['q2', ['Rome']],
        ['q3', []],
      ]),
      qrels,
      ['q1', 'q2', 'q3'],
    )
    expect([...values.keys()]).toEqual(answerMetrics)
    expect([...values.get('em')!]).toEqual([['q2', 0]])
    expect(scoreAnswers(new Map(), new Map(), qrels, ['q1']).values.size).toBe(0)
  })

  it('are from 0 to 1, whatever is answered and cited', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.constantFrom('a', 'b', 'c', 'd')), (answer, citations) => {
        for (const value of Object.values(scoresOf(answer, citations))) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1)
        }
      }),
    )
  })
})
