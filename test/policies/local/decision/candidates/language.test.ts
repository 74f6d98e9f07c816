import { expect, it } from 'vitest'
import { isEnglish } from '../../../../../policies/local/decision/candidates/language.ts'
import { ask, foreignQuestions } from '../../../../support/question.ts'

function english(text: string): boolean {
  const { question, lexicon } = ask(text)
  return isEnglish(text, question, lexicon)
}

it.each(foreignQuestions)('not English: %s', (text) => expect(english(text)).toBe(false))

it.each([
  'Who designed the Forth Bridge?',
  'forth bridge height',
  'PSR B1919+21',
  'robert de niro movies',
  'Where was the director of Der blaue Engel und andere Filme born?',
  'who wrote 红楼梦 and when',
  'α-synuclein and β-amyloid in mice',
  '🍕 or 🍔',
  '12345',
  '',
])('may be English: %s', (text) => expect(english(text)).toBe(true))
