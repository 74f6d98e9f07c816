import { expect, it } from 'vitest'
import { parsed } from '../../../src/prompt.ts'
import { gradePrompt, type Reading } from '../../../src/training/labels/grade-prompt.ts'

const reading: Reading = {
  query: { qid: 'q1', text: 'Who wrote it?', history: [{ role: 'user', text: 'Tell me about Dune.' }] },
  document: { docid: 'd1', title: 'Dune', text: 'A novel by Frank Herbert.' },
  number: 1,
}
const grade = (said: string): number => parsed(gradePrompt(), said, reading)

it.each([
  ['2', 2],
  ['0.', 0],
  ['**3**', 3],
  ['- 1', 1],
  ['2/3', 2],
  ['3 – all of it', 3],
  ['Grade: 1', 1],
  ['##final score: 2', 2],
  ['{"grade": 2, "reason": "It names the author."}', 2],
  ['It names 4 novels.\n1. the author\n2. the year\n\nI would give it a grade of 3.', 3],
  ['<think>Grade: 1? No.</think>\n2', 2],
])('%j is a grade', (said, expected) => expect(grade(said)).toBe(expected))

it.each(['', '4', '2.5', 'relevant', '1\n2', 'Grade: 10', '2 documents'])('%j is none', (said) =>
  expect(() => grade(said)).toThrow('one number from 0 to 3'),
)

it('shows rubric, conversation and document, in another order each time', () => {
  const shown = ([1, 2, 3] as const).map((number) => gradePrompt('0: no …').render({ ...reading, number }))
  expect(new Set(shown.map((messages) => JSON.stringify(messages))).size).toBe(3)
  for (const [system, user] of shown) {
    expect(system!.content).toContain('0: no …')
    for (const part of ['Tell me about Dune.', 'Who wrote it?', 'Dune', 'Frank Herbert'])
      expect(user!.content).toContain(part)
  }
})
