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
    [
      'a fence after another order',
      'As [1] > [2] > [3] shows:\n```\n[3] > [1] > [2]\n```\n[2] > [1] > [3]',
      [2, 0, 1],
    ],
    ['a tag', '[1] > [2] > [3]? <answer>[3] > [1] > [2]</answer> and not [2] > [1] > [3]', [2, 0, 1]],
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
    ['commas', '[3], [1], [2]', [2, 0, 1]],
    ['blanks', '[3] [1] [2]', [2, 0, 1]],
    ['nothing between them', '[3][1][2]', [2, 0, 1]],
    ['a number a line', '[3]\n[1]\n[2]', [2, 0, 1]],
    ['a numbered list', '1. [3]\n2. [1]\n3. [2]', [2, 0, 1]],
    ['a list with hyphens', 'The order:\n- [3]\n- [1]\n- [2]', [2, 0, 1]],
    ['bold numbers', '**[3]** > **[1]** > **[2]**', [2, 0, 1]],
    ['a list of bold numbers', '1. **[3]**\n2. **[1]**\n3. **[2]**', [2, 0, 1]],
    ['numbers as code', '`[3]` > `[1]` > `[2]`', [2, 0, 1]],
    ['escaped brackets', '\\[3\\] > \\[1\\] > \\[2\\]', [2, 0, 1]],
    ['arrows', '[3] -> [1] -> [2]', [2, 0, 1]],
    ['other arrows', '[3] → [1] => [2]', [2, 0, 1]],
    ['several signs', '[3] >> [1] >= [2]', [2, 0, 1]],
    ['signs of precedence', '[3] ≻ [1] ≻ [2]', [2, 0, 1]],
    ['equal passages', '[3]>[1]=[2]', [2, 0, 1]],
    ['one pair of brackets', '[3 > 1 > 2]', [2, 0, 1]],
    ['nested JSON', '[[3],[1],[2]]', [2, 0, 1]],
    ['nested JSON on lines', '{"order": [\n  [3],\n  [1],\n  [2]\n]}', [2, 0, 1]],
    ['JSON of texts with brackets', '{"order": ["[3]", "[1]", "[2]"]}', [2, 0, 1]],
    ['bare arrows', '3 -> 1 -> 2', [2, 0, 1]],
    ['a bare order after a passage', 'Passage [1] is off topic.\n3 > 2 > 1', [2, 1, 0]],
    ['an order in a line after a passage', 'Off topic: [1]\n[3] > [2]', [2, 1]],
    ['an order before its reason', '[2] > [1]\n[1] [2]', [1, 0]],
    ['an order after a list of passages', 'I compared [1], [2], [3]: [3] > [1] > [2]', [2, 0, 1]],
    ['one passage in words', 'The best one is **[3]**.', [2]],
    ['one passage as JSON', '{"order": [3]}', [2]],
    ['one passage, time and again', 'Passage [3] has it, so [3].', [2]],
    ['one passage beside a number', '[3] is the best of the 3 passages.', [2]],
  ])('reads %s', (_, text, order) => expect(parseOrder(text, 3)).toEqual(order))

  it.each([
    ['before it', 'Passages [2], [4], [5], [6] are irrelevant.\n\n[3] > [1]'],
    ['behind it', '[3] > [1] (passages [2], [4], [5] and [6] do not help)'],
    ['in the next sentence', 'The relevant ones are [3] > [1]. Not relevant: [2], [4], [5]'],
    ['before JSON', 'Passages [2], [4], [5] are irrelevant: {"order": [3, 1]}'],
    ['before a bare one', 'Not relevant: [2] [4] [5]\n3 > 1'],
  ])('takes an order for it, and not a longer list of other passages %s', (_, text) =>
    expect(parseOrder(text, 6)).toEqual([2, 0]),
  )

  it('takes the only passage that there is', () =>
    expect(parseOrder('[1] is the best of 12', 1)).toEqual([0]))

  it.each([
    ['nothing', ''],
    ['words', 'None of the passages answers the question.'],
    ['unknown numbers alone', '[8] > [9]'],
    ['an empty list', '[]'],
    ['a thought without an end', '<think>maybe the second'],
    ['broken JSON', '{"order": [3, 1'],
    ['a number that is no order', 'All 3 are fine.'],
    ['a passage beside another in words', 'Passage [1] is off topic, passage 3 is not.'],
    ['passages in sentences', 'Passage [1] is off topic. Passage [3] has the answer.'],
    ['a range', 'Passages [1]-[3] are all fine.'],
    ['the same passage twice beside another', 'Neither [1] [1] nor passage 2.'],
  ])('refuses %s', (_, text) => expect(() => parseOrder(text, 3)).toThrow('1 to 3'))

  it('takes time in proportion to the text', () => {
    const hostile = [
      '[1] > '.repeat(50_000),
      '['.repeat(200_000),
      `${'1 > '.repeat(100_000)}x`,
      '[1 '.repeat(60_000),
      '[1]\n'.repeat(60_000),
      `[1]${' '.repeat(200_000)}x`,
      `[1]${'='.repeat(200_000)}x`,
      `1${'>'.repeat(200_000)}x`,
      '\n \n'.repeat(100_000),
      '1. '.repeat(60_000),
      `[${' '.repeat(200_000)}1`,
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
