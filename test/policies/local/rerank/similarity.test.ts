import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { similarityOf, vectorsOf } from '../../../../policies/local/rerank/similarity.ts'
import { createLexicon, type Lexicon } from '../../../../src/text/lexicon.ts'
import { parseDocument } from '../../../../src/text/parse-document.ts'

/** What the words of these texts weigh. */
const weights: Readonly<Record<string, number>> = { river: 3, mill: 4, oak: 12, elm: 5, heron: 8, crow: 2 }
const lexiconOf = (): Lexicon => createLexicon((stem) => weights[stem] ?? 1)

function likeness(
  texts: readonly string[],
  { shares = texts.map(() => 1), rows = [...texts.keys()], query = '', lexicon = lexiconOf() } = {},
): number[] {
  const reads = texts.map((text, index) => parseDocument({ docid: `d${index}`, text }, lexicon))
  const vectors = vectorsOf(reads, readQuestion({ text: query }, lexicon), lexicon)
  return [...similarityOf(vectors, shares, rows, lexicon)]
}

/** Of lengths 5, 13 and 13: their cosines are (9 + 16) / (5 × 13) = 5/13, 0, and 144 / (13 × 13). */
const texts = ['river mill', 'mill oak river', 'oak elm']
const [ab, bc] = [5 / 13, 144 / 169]

function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length)
  for (const [row, value] of found.entries()) expect(value).toBeCloseTo(expected[row]!, 9)
}

describe('similarityOf', () => {
  it('is the mean cosine with the others', () =>
    expectClose(likeness(texts), [(ab + 0) / 2, (ab + bc) / 2, (0 + bc) / 2]))

  it('weighs the others by their shares', () => {
    const found = likeness(texts, { shares: [2, 1, 4] })
    expectClose(found, [(1 * ab + 4 * 0) / 5, (2 * ab + 4 * bc) / 6, (2 * 0 + 1 * bc) / 3])
  })

  it('compares with those rows alone, and none with itself', () => {
    expectClose(likeness(texts, { rows: [1] }), [ab, 0, bc])
    expectClose(likeness(texts, { rows: [2, 0] }), [0, (ab + bc) / 2, 0])
    expectClose(likeness(texts, { rows: [] }), [0, 0, 0])
  })

  it('is 1 for those that say the same, and 0 for those that say nothing', () =>
    expectClose(likeness(['oak oak elm', 'Elms: the oaks', 'the', '']), [1 / 3, 1 / 3, 0, 0]))

  it('leaves out the words of the question', () => {
    const asked = texts.map((text) => `${text} heron`)
    expectClose(likeness([...asked, 'heron'], { query: 'Which herons?', rows: [0, 1, 2] }), [
      ...likeness(texts),
      0,
    ])
    // Without a question the heron of weight 8 counts: (9 + 16 + 64) / √(89 × 233).
    expectClose(likeness(asked.slice(0, 2)), [89 / Math.sqrt(89 * 233), 89 / Math.sqrt(89 * 233)])
  })

  it('is the same whatever was compared before, and however many words are known', () => {
    const lexicon = lexiconOf()
    // The numbers of these two are low, and those of the others high.
    for (const stem of ['river', 'mill']) lexicon.stemId(stem)
    for (let word = 0; word < 40_000; word++) lexicon.stemId(`w${word}`)
    const expected = likeness(texts)
    for (let time = 0; time < 3; time++) expect(likeness(texts, { lexicon })).toEqual(expected)
  })

  it('is from 0 to 1, and what its definition says, for all documents', () => {
    const document = fc.uniqueArray(fc.constantFrom(...Object.keys(weights)), { maxLength: 6 })
    const row = fc.record({ words: document, share: fc.nat({ max: 9 }), isCompared: fc.boolean() })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (all) => {
        const query = 'crow'
        const shares = all.map(({ share }) => share)
        const rows = [...all.keys()].filter((index) => all[index]!.isCompared)
        const found = likeness(
          all.map(({ words }) => words.join(' ')),
          { shares, rows, query },
        )
        const dot = (a: readonly string[], b: readonly string[]): number =>
          a
            .filter((word) => word !== query && b.includes(word))
            .reduce((sum, word) => sum + weights[word]! ** 2, 0)
        const expected = all.map(({ words }, index) => {
          const others = rows.filter((other) => other !== index)
          const total = others.reduce((sum, other) => sum + shares[other]!, 0)
          const cosine = (other: readonly string[]): number =>
            dot(words, other) / (Math.sqrt(dot(words, words) * dot(other, other)) || 1)
          const sum = others.reduce((sofar, other) => sofar + shares[other]! * cosine(all[other]!.words), 0)
          return total === 0 ? 0 : sum / total
        })
        expectClose(found, expected)
        for (const value of found) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(1 + 1e-9)
        }
      }),
    )
  })
})
