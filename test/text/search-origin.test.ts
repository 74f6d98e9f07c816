import { describe, expect, it } from 'vitest'
import { searchOrigin, withoutRepeats } from '../../src/text/search-origin.ts'

const asked = {
  text: 'Which river runs through the city where Bram Stoker was born?',
  history: [{ role: 'user' as const, text: 'Tell me about Dublin.' }],
}
const originOf = (text: string, from?: string) =>
  searchOrigin({ text, round: 1, ...(from !== undefined && { from }) }, asked, (docid) => `title of ${docid}`)

describe('searchOrigin', () => {
  it.each([
    ['Bram Stoker', 'named in your question'],
    ['bram stoker', 'named in your question'],
    ['river city Bram', 'your key words'],
    ['river Dublin', 'from the conversation'],
    [asked.text, 'your words'],
    ['the Liffey', undefined],
  ])('%j: %s', (text, origin) => expect(originOf(text)).toBe(origin))

  it('names the document that a search was found in', () => {
    expect(originOf('James Joyce', 'ulysses')).toBe('found in “title of ulysses”')
    expect(originOf('James Joyce born city', 'ulysses')).toBe('found in “title of ulysses”, with your words')
  })
})

it.each([
  ['And its twin? And its twin? And its twin? Voyager 2', 'And its twin? (×3) Voyager 2'],
  ['no no', 'no no'],
])('withoutRepeats: %j', (text, short) => expect(withoutRepeats(text)).toBe(short))
