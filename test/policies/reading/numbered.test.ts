import { expect, it } from 'vitest'
import { numbered } from '../../../policies/reading/numbered.ts'

const documents = [
  { docid: 'a', title: 'Elbe', text: 'A river.\nIt is long.' },
  { docid: 'b', text: 'No title.' },
]

it('counts from 0, as the Selector does, or from 1, one document a line', () => {
  expect(numbered(documents, 0)).toBe('Document0 (Title: Elbe): A river. It is long.\nDocument1: No title.')
  expect(numbered(documents, 1)).toBe('Document 1 (Title: Elbe): A river. It is long.\nDocument 2: No title.')
  expect(numbered([], 0)).toBe('')
})

it('cuts long texts and titles after a word', () => {
  const long = { docid: 'c', title: 'word '.repeat(100), text: 'word '.repeat(1000) }
  const shown = numbered([long], 0)
  expect(shown).toMatch(/^Document0 \(Title: (word )*word…\): (word )*word…$/)
  expect(shown.length).toBeGreaterThan(2100)
  expect(shown.length).toBeLessThan(2230)
  expect(numbered([{ docid: 'd', text: 'x'.repeat(5000) }], 0)).toBe(`Document0: ${'x'.repeat(2000)}…`)
})

it('shares 24,000 characters among many', () => {
  const long = { docid: 'c', text: 'word '.repeat(1000) }
  const shown = numbered(Array(50).fill(long), 1)
  expect(shown.split('\n')).toHaveLength(50)
  expect(shown.length).toBeLessThan(25_000)
})

it('cuts texts without blanks between their words where they are full, and never inside a character', () => {
  const text = `東京タワー\n${'高い塔です。'.repeat(500)}`
  expect(numbered([{ docid: 'e', text }], 0)).toBe(`Document0: ${text.replace('\n', ' ').slice(0, 2000)}…`)
  const shown = numbered([{ docid: 'f', text: `a${'😀'.repeat(2000)}` }], 0)
  expect(shown).toBe(`Document0: a${'😀'.repeat(999)}…`)
})
