import { expect, it } from 'vitest'
import { expansionsOf } from '../../../../policies/local/candidates/expansion.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import type { Reader } from '../../../../src/text/reader.ts'
import { readerWith } from '../../../support/question.ts'

const texts = [
  'The cantilever bridge crosses a firth. Steel was new.',
  'Steel cantilevers carry trains over the firth.',
  'Trains need gentle slopes.',
]

function expansions(text: string, reader: Reader): string[] {
  const documents = texts.map((body, place) => reader.read({ docid: `d${place}`, text: body }))
  return expansionsOf(text, documents, readQuestion({ text }, reader.lexicon), reader.lexicon)
}

it('adds the heaviest words that two documents share, as the first has them, in their order', () => {
  // Each in two of the three: cantilever(s), firth, steel, trains. "Steel" is common here.
  expect(expansions('bridge', readerWith('steel'))).toEqual(['bridge cantilever firth trains Steel'])
})

it('adds no word of the question, and abstains where nothing is shared', () => {
  expect(expansions('steel cantilever trains', readerWith())).toEqual(['steel cantilever trains firth'])
  expect(expansions('steel cantilever trains firth', readerWith())).toEqual([])
})

it('is the same whatever was read before', () => {
  const reader = readerWith()
  reader.read({ docid: 'other', text: 'Trains, firth, steel, cantilever: in another order.' })
  expect(expansions('bridge', reader)).toEqual(expansions('bridge', readerWith()))
})
