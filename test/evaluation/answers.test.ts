import { expect, it } from 'vitest'
import { readAnswers } from '../../src/evaluation/answers.ts'
import { expectError } from '../support/expect-error.ts'
import { sourceOf } from '../support/lines-of.ts'
import { sampleFolder } from '../support/small-policy.ts'

const fileOf = (...lines: readonly object[]) => sourceOf('queries.jsonl', ...lines)

it('reads one answer, several, and other names of them', async () => {
  const source = fileOf(
    { _id: 'q1', text: 'who', metadata: { answer: 'Ada' } },
    { _id: 'q2', text: 'who', metadata: { answers: ['Ada', 'Ada Lovelace'] } },
    {
      qid: 'q3',
      text: 'who',
      metadata: { answer: ['Ada'], answer_aliases: ['Ada', 'Countess of Lovelace'] },
    },
    { _id: 4, text: 'how many', metadata: { answer: 7 } },
    { _id: 'q5', text: 'is it', metadata: { answer: true } },
  )
  expect(await readAnswers(source)).toEqual(
    new Map([
      ['q1', ['Ada']],
      ['q2', ['Ada', 'Ada Lovelace']],
      ['q3', ['Ada', 'Countess of Lovelace']],
      ['4', ['7']],
      ['q5', ['true']],
    ]),
  )
})

it('leaves queries out that have none', async () => {
  const source = fileOf({ _id: 'q1', text: 'who' }, { _id: 'q2', text: 'who', metadata: { answer: ' ' } })
  expect((await readAnswers(source)).size).toBe(0)
})

it('names the line of something else', async () => {
  const source = fileOf({ _id: 'q1', text: 'who' }, { _id: 'q2', text: 'who', metadata: { answer: {} } })
  await expectError(readAnswers(source), 'bad-file', 'queries.jsonl:2')
})

it('every question of the sample has one', async () => {
  expect((await readAnswers(`${sampleFolder}/queries.jsonl`)).size).toBe(36)
})
