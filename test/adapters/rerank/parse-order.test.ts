import { describe, expect, it } from 'vitest'
import { parseOrder } from '../../../adapters/rerank/parse-order.ts'

describe('parseOrder', () => {
  it.each([
    ['a permutation', '[3] > [1] > [2]', [2, 0, 1]],
    ['without blanks', '[3]>[1]>[2]', [2, 0, 1]],
    ['without brackets', '3 > 1 > 2', [2, 0, 1]],
    ['JSON', '[3, 1, 2]', [2, 0, 1]],
    ['JSON in an object', '{"ranking": [3, 1, 2]}', [2, 0, 1]],
    ['JSON of texts', '{"order": ["3", "1", "2"]}', [2, 0, 1]],
    ['JSON in a fence', '```json\n{"order": [3, 1, 2]}\n```', [2, 0, 1]],
    ['words around it', 'Sure! The order is [3] > [1] > [2]. Passage [3] names the bridge.', [2, 0, 1]],
    ['a thought before it', '<think>[1] > [2] > [3]? No.</think>[3] > [1] > [2]', [2, 0, 1]],
    ['an order that was reconsidered', '[1] > [2] > [3]. No: [3] > [1] > [2]', [2, 0, 1]],
    ['JSON after a shorter order', 'Since [1] > [2]: [3, 1, 2]', [2, 0, 1]],
    ['a comparison of numbers before it', 'As 5 > 3 > 2 > 1, I say [3] > [1]', [2, 0]],
    ['several lines', '[3] >\n[1] >\n[2]', [2, 0, 1]],
    ['numbers that are unknown', '[7] > [3] > [0] > [1]', [2, 0]],
    ['numbers that are repeated', '[3] > [1] > [3] > [2] > [1]', [2, 0, 1]],
    ['some numbers only', '[2] > [1]', [1, 0]],
    ['one passage', '[3]', [2]],
    ['fractions in JSON', '[3, 1.5, 1]', [2, 0]],
  ])('reads %s', (_, text, order) => expect(parseOrder(text, 3)).toEqual(order))

  it.each([
    ['nothing', ''],
    ['words', 'None of the passages answers the question.'],
    ['unknown numbers alone', '[8] > [9]'],
    ['an empty list', '[]'],
    ['a thought without an end', '<think>maybe the second'],
    ['broken JSON', '{"order": [3, 1'],
    ['a number that is no order', 'All 3 are fine.'],
  ])('refuses %s', (_, text) => expect(() => parseOrder(text, 3)).toThrow('no order of the passages'))

  it('takes time in proportion to the text', () => {
    const hostile = [
      '[1] > '.repeat(50_000),
      '['.repeat(200_000),
      `${'1 > '.repeat(100_000)}x`,
      '[1 '.repeat(60_000),
    ]
    for (const text of hostile) {
      try {
        expect(parseOrder(text, 3)).toEqual([0])
      } catch (error) {
        expect((error as Error).message).toContain('no order')
      }
    }
  })
})
