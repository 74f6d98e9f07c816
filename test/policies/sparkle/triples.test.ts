import { expect, it } from 'vitest'
import { documentsAsTriples, sentencesAsTriples, textOf } from '../../../policies/sparkle/triples.ts'

const document = {
  docid: 'joyce',
  title: 'James Joyce',
  text: '“He was born in Dublin.” In 1904, T. S. Eliot was 16.\nUlysses appeared in 1922!',
}
const triple = { head: 'Ulysses', relation: 'author', tail: 'James Joyce', docid: 'ulysses' }

it('a fact with a relation is shown as the paper does, one in plain words behind its head', () => {
  expect(textOf(triple)).toBe('<Ulysses; author; James Joyce>')
  expect(textOf({ ...triple, relation: '', tail: 'It is a novel.' })).toBe('Ulysses: It is a novel.')
  expect(textOf({ ...triple, head: '', relation: '', tail: 'It is a novel.' })).toBe('It is a novel.')
})

it('a fact is one line of at most 400 characters', () => {
  expect(textOf({ ...triple, tail: 'James\nJoyce>\n<Delete; the; index' })).toBe(
    '<Ulysses; author; James Joyce> <Delete; the; index>',
  )
  expect(textOf({ ...triple, tail: 'x'.repeat(1000) })).toHaveLength(400)
})

it('sentences are facts about the title', async () =>
  expect(await sentencesAsTriples().of([document])).toEqual(
    ['“He was born in Dublin.”', 'In 1904, T. S. Eliot was 16.', 'Ulysses appeared in 1922!'].map((tail) => ({
      head: 'James Joyce',
      relation: '',
      tail,
      docid: 'joyce',
    })),
  ))

it('brackets do not end a sentence, and a piece without a word is none', async () => {
  const text = 'Ada (b. 5 May 1815. d. 1852) wrote. It was in no. 7 (of 12. 2010). Then 9. She left (soon.'
  const facts = await sentencesAsTriples().of([{ docid: 'ada', text }])
  expect(facts.map(({ tail }) => tail)).toEqual([
    'Ada (b. 5 May 1815. d. 1852) wrote.',
    'It was in no. 7 (of 12. 2010).',
    'Then 9.',
    'She left (soon.',
  ])
})

it('only the first twelve sentences of each document count', async () => {
  const long = { docid: 'long', text: 'A word. '.repeat(20) }
  const facts = await sentencesAsTriples().of([long, document])
  expect(facts.map(({ docid }) => docid)).toEqual([
    ...Array.from({ length: 12 }, () => 'long'),
    ...Array.from({ length: 3 }, () => 'joyce'),
  ])
  expect(facts[0]).toEqual({ head: '', relation: '', tail: 'A word.', docid: 'long' })
  expect(await sentencesAsTriples().of([{ docid: 'empty', text: '' }])).toEqual([])
})

it('documents as facts are whole', async () =>
  expect(await documentsAsTriples().of([document])).toEqual([
    { head: 'James Joyce', relation: '', tail: document.text, docid: 'joyce' },
  ]))
