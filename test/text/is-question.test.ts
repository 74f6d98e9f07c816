import { describe, expect, it } from 'vitest'
import { isQuestion } from '../../src/text/is-question.ts'

describe('isQuestion', () => {
  it.each([
    'Which of the two was built first?',
    'The tower stands in the capital of which country?"',
    'who designed the bridge',
    'In which year did the canal open',
    'and where was that',
    'ok, so how long is it',
    'The canal was dug by what company',
    'tell me about the canal',
    '哪条运河更长？',
    '「哪条运河更长？」',
    'was it really the first?!',
    "isn't the canal longer",
    'had the engineer met the queen',
    'hi, who dug the canal',
    'list all canals',
    'the bridge is old; what is it called',
    'WHO DUG THE CANAL',
  ])('question: %s', (text) => expect(isQuestion(text)).toBe(true))

  it.each([
    'The enzyme which splits starch is found in saliva.',
    'Steel that is cooled slowly is softer.',
    'Canals where locks are missing',
    'opening times',
    'and the other one',
    'and then',
    'WHO recommends clean water.',
    'IS elements move in genomes.',
    'Will Turner dug the canal.',
    'Can Tho lies on a river.',
    'When heated, metals expand.',
    'Where locks are missing, boats are lifted.',
    'list of canals',
    'name changes are common',
    'That is what happens in winter.',
    '',
    '…',
  ])('statement: %s', (text) => expect(isQuestion(text)).toBe(false))
})
