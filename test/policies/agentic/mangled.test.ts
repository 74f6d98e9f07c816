/** What models write of a round, in all the ways in which they write it: it is read the same, or it is an error. */
import { expect, it } from 'vitest'
import { roundPrompt } from '../../../policies/agentic/prompt.ts'
import { isQuerentError } from '../../../src/errors.ts'
import { parsed } from '../../../src/prompt.ts'
import { type Completion, inputOfAll, manglings } from '../reading/mangled.ts'

const answers = ['New York City', '1957', 'yes', 'G. Stanley Hall', 'from 1860 until 2002']
const queries = [
  ['first president of the American Psychological Association'],
  ['Michio Kaku field of research', 'who wrote Parallel Worlds?'],
  ['county of Stevensville, Montana', 'KKVU licensed city', 'population of Stevensville in 2010'],
]
const numbers = [[2, 5], [1], [], [3, 1, 8]]

const prompt = roundPrompt({ form: 'auto', strict: false }) as Completion['prompt']
const ofRound = (head: string, json: object, kept: readonly number[]): Completion => ({
  prompt,
  text: `${head}\nDocuments: ${kept.join(', ') || 'none'}`,
  json: { ...json, documents: kept },
  label: 'Output',
})
const completions = numbers.flatMap((kept) => [
  ...answers.map((answer) => ofRound(`Answer: ${answer}`, { answer }, kept)),
  ...queries.map((all) => ofRound(all.map((query) => `Search: ${query}`).join('\n'), { search: all }, kept)),
  ofRound('Answer: unknown', { answer: 'unknown' }, kept),
])

it('is read the same, or in two of a hundred cases not at all', () => {
  const other: string[] = []
  const fallen: string[] = []
  let tried = 0
  for (const one of completions) {
    const expected = parsed(prompt, one.text, inputOfAll)
    for (const [name, mangle] of Object.entries(manglings)) {
      tried++
      const text = mangle(one)
      try {
        const read = parsed(prompt, text, inputOfAll)
        if (JSON.stringify(read) !== JSON.stringify(expected))
          other.push(`${name}: ${JSON.stringify(text)} is ${JSON.stringify(read)}`)
      } catch (error) {
        if (!isQuerentError(error, 'bad-completion')) throw error
        fallen.push(`${name}: ${JSON.stringify(text)}`)
      }
    }
  }
  expect(other).toEqual([])
  expect(fallen.length / tried, fallen.join('\n')).toBeLessThanOrEqual(0.02)
})
