import { expect, it } from 'vitest'
import { finalAnswer } from '../../src/completion/final-answer.ts'

it.each([
  ['So it is.\n\nAnswer: **Paris**', 'Paris'],
  ['The answer is: Paris', 'Paris'],
  ['It lies on the Seine. The answer is: Paris', 'Paris'],
  ['Answer: London\nNo.\nAnswer: Paris', 'Paris'],
  ['Answer: Paris\n\nThe documents say so.', 'Paris'],
  ['Answer:\n\nParis', 'Paris'],
  ['Bob (answer: unknown)', 'Bob (answer: unknown)'],
  ['Here is the answer:\n\nParis', 'Paris'],
  ['Paris\n\nThis is stated in Document 1.', 'Paris'],
  ['Paris', 'Paris'],
  ['', ''],
])('the answer of %j is %j', (output, answer) => expect(finalAnswer(output)).toBe(answer))
