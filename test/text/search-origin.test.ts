import { expect, it } from 'vitest'
import { originOf, originWords, withoutRepeats } from '../../src/text/search-origin.ts'

const question = 'Was the author of Dracula born in the same city as the author of Ulysses?'
const asked = { text: question, plan: 'names and bridges' }

it.each([
  [{ text: question, round: 0 }, 'your words'],
  [{ text: 'Dracula', round: 1 }, 'name'],
  [{ text: 'author Dracula city Ulysses', round: 1 }, 'keywords'],
  [{ text: 'Bram Stoker', round: 1, from: 'dracula' }, 'found'],
  [{ text: 'Port of New York', round: 1, from: 'x' }, 'found'],
  [{ text: 'Bram Stoker author born city', round: 1, from: 'dracula' }, 'found with more'],
  [{ text: 'birthplace of Bram Stoker', round: 1 }, 'model'],
] as const)('%o is of the kind %s', (subQuery, origin) => {
  expect(originOf(subQuery, asked)).toBe(origin)
})

it('tells parts of the question, and words of the conversation', () => {
  expect(originOf({ text: 'author of Dracula', round: 1 }, { text: question, plan: 'parts' })).toBe('part')
  const history = [{ role: 'user', text: 'When was Voyager 2 launched?' } as const]
  expect(originOf({ text: 'its twin Voyager', round: 1 }, { text: 'And its twin?', history })).toBe(
    'conversation',
  )
  expect(originWords('found', 'Dracula')).toBe('found in “Dracula”')
})

it.each([
  ['And its twin? And its twin? And its twin? Voyager 2', 'And its twin? (×3) Voyager 2'],
  ['no no', 'no no'],
])('withoutRepeats: %j', (text, short) => expect(withoutRepeats(text)).toBe(short))
