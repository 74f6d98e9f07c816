import { expect, it } from 'vitest'
import { keywordsOf } from '../../../../../policies/local/decision/candidates/keywords.ts'
import { ask, foreignQuestions } from '../../../../support/question.ts'

function keywords(text: string, common = ''): string[] {
  const { question, lexicon } = ask(text, { common })
  return keywordsOf(question, lexicon)
}

it('keeps the words that weigh at least 0.6 of the mean, in their order, each once', () => {
  // ln(1 + 1000/500.5) = 1.1 for "film", "direct" and "born"; ln(1 + 1000/0.5) = 7.6 for the others. Mean 4.35, limit 2.6.
  expect(
    keywords('Was the director of the film Casablanca born in Budapest, Budapest?', 'film director born'),
  ).toEqual(['Casablanca Budapest'])
})

it('abstains where all of the words say as much, and where none says anything', () => {
  expect(keywords('Forth Bridge height')).toEqual([])
  for (const nothing of ['', ' ', '?!', 'who is it', 'to be or not to be'])
    expect(keywords(nothing)).toEqual([])
})

it.each(foreignQuestions)('does not break on %s', (text) => {
  for (const one of keywords(text)) expect(one.trim()).not.toBe('')
})
