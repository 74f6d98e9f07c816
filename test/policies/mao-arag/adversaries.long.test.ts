import { expect, it } from 'vitest'
import { mao } from '../../../policies/mao-arag/mao.ts'
import { judgedSample } from '../../support/oracle-agents.ts'
import {
  asksOf,
  promptsOfLeaver,
  roundsOf,
  saying,
  searchingWith,
  testAnsweringPolicy,
} from '../reading/conformance.ts'

// Solved one sub-question after the other.
testAnsweringPolicy(mao(), { qid: 'q22' })

const { answering, searchAll, expectPlain } = searchingWith(mao())

const six = ['a bridge', 'a river', 'a painter', 'a mountain', 'a comet', 'an opera'].join('\n')

it('a decomposition without end: four sub-questions, which are not split again', async () => {
  const results = await searchAll(
    saying({
      'You plan': 'QDS',
      'You split': six,
      'You rewrite': 'a film',
      'You answer': 'Ada',
      'You put': 'Bob',
    }),
  )
  for (const result of results) {
    // QDS is no workflow of a sub-question: each is searched and answered.
    const part = ['plan', 'answer']
    const later = ['rewrite', ...part]
    expect(asksOf(result)).toEqual([
      'plan',
      'decompose-serial',
      ...part,
      ...later,
      ...later,
      ...later,
      'summarize',
    ])
    expect(result.answer).toBe('Bob')
    // The same rewrite three times is searched once, and gives further documents.
    expect(roundsOf(result)).toBe(2)
    expect(result.citations).toHaveLength(new Set(result.citations).size)
  }
})

it('sub-questions that nobody answers: the evidence is left', async () => {
  const results = await searchAll(saying({ 'You plan': 'QDP', 'You split': six, 'You choose': 'Document0' }))
  for (const result of results) {
    // Without an answer of a sub-question, a summary would have nothing to read.
    expect(asksOf(result).slice(-1)).toEqual(['answer'])
    expect([result.answer, result.citations]).toEqual([undefined, undefined])
  }
})

it('workflows that nothing can run are as good as none', async () =>
  expectPlain(await searchAll(saying({ 'You plan': 'DS, AG, RA' }))))

it('a caller who leaves while sub-questions are solved at the same time: no further prompt', async () => {
  const says = { 'You plan': 'QDP', 'You split': 'a bridge\na river', 'You answer': 'Ada', 'You put': 'Bob' }
  const optimizer = await answering(saying(says))
  const [{ query }] = (await judgedSample()) as [Awaited<ReturnType<typeof judgedSample>>[number]]
  for (const { asked, atMost } of [
    { asked: 3, atMost: 4 },
    { asked: 5, atMost: 6 },
  ])
    expect(await promptsOfLeaver(optimizer, query, asked)).toBeLessThanOrEqual(atMost)
})
