/** Every recorded completion, written as models write: it is read the same, or it is an error. */
import { expect, it } from 'vitest'
import { isQuerentError } from '../../../src/errors.ts'
import { parsed } from '../../../src/prompt.ts'
import { completions, inputOfAll, manglings } from './mangled.ts'

it('is read the same, or in two of a hundred cases not at all', async () => {
  const other: string[] = []
  const fallen: string[] = []
  let tried = 0
  for (const one of await completions()) {
    const expected = parsed(one.prompt, one.text, inputOfAll)
    for (const [name, mangle] of Object.entries(manglings)) {
      tried++
      const text = mangle(one)
      try {
        const read = parsed(one.prompt, text, inputOfAll)
        if (JSON.stringify(read) !== JSON.stringify(expected))
          other.push(`${one.prompt.name}, ${name}: ${JSON.stringify(text)} is ${JSON.stringify(read)}`)
      } catch (error) {
        if (!isQuerentError(error, 'bad-completion')) throw error
        fallen.push(`${one.prompt.name}, ${name}`)
      }
    }
  }
  expect(other).toEqual([])
  expect(fallen.length / tried, [...new Set(fallen)].join('\n')).toBeLessThanOrEqual(0.02)
  expect(tried).toBeGreaterThan(25 * 336)
})
