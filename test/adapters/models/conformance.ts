/** What every embedder must do. A test of one is `describeEmbedder('name', (instructions) => make(instructions))`. */
import { describe, expect, it } from 'vitest'
import type { Instructions } from '../../../adapters/models/instructions.ts'
import type { Embedder } from '../../../src/types.ts'

const document = { kind: 'document' } as const
const query = { kind: 'query' } as const
/** How far a vector may be from the same text's in another batch. */
const batchTolerance = 1e-6

/** Lengths from one to some 250 words, not sorted. */
const texts = Array.from({ length: 40 }, (_, at) => {
  const words = ((at * 37) % 40) ** 2 / 6
  return `Letter ${at}:${' the ferry leaves at noon'.repeat(words / 5)}`
})

export function describeEmbedder(
  name: string,
  make: (instructions?: Instructions) => Promise<Embedder>,
): void {
  async function using<T>(instructions: Instructions, work: (embedder: Embedder) => Promise<T>): Promise<T> {
    const embedder = await make(instructions)
    try {
      return await work(embedder)
    } finally {
      await embedder.close?.()
    }
  }
  const embedded = (
    input: readonly string[],
    instructions: Instructions = {},
  ): Promise<readonly Float32Array[]> => using(instructions, (embedder) => embedder.embed(input, document))

  describe(name, () => {
    it('has a name and gives vectors of the length it says', () =>
      using({}, async (embedder) => {
        expect(embedder.name).not.toBe('')
        const [vector] = await embedder.embed(['ferry'], query)
        expect(vector).toBeInstanceOf(Float32Array)
        expect(vector).toHaveLength(embedder.dimensions)
      }))

    it('gives vectors of length 1', async () => {
      for (const vector of await embedded(texts)) expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
    })

    it('answers in the order given, and a text alone as among others', () =>
      using({}, async (embedder) => {
        const together = await embedder.embed(texts, document)
        expect(together).toHaveLength(texts.length)
        for (const [at, text] of texts.entries()) {
          const [alone] = await embedder.embed([text], document)
          expect(distance(alone!, together[at]!)).toBeLessThan(batchTolerance)
        }
      }))

    it('gives the same text the same vector and another text another one', async () => {
      const [first, second, other] = await embedded(['a ferry', 'a ferry', 'the tide table'])
      expect(distance(first!, second!)).toBeLessThan(batchTolerance)
      expect(distance(first!, other!)).toBeGreaterThan(0.01)
    })

    it('answers nothing for nothing', async () => {
      expect(await embedded([])).toEqual([])
    })

    it.each([
      ['an empty text', ''],
      ['white space', ' \n\t '],
      ['emoji', '😀 👩‍🚀 👨‍👩‍👧‍👦'],
      ['half a surrogate pair', 'half \ud83d of it'],
      ['a megabyte', 'The tide comes in and goes out. '.repeat(2 ** 15)],
      ['one word of a megabyte', 'x'.repeat(2 ** 20)],
    ])('embeds %s', async (_, text) => {
      const [before, vector, after] = await embedded(['before', text, 'after'])
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 6)
      expect(before).toHaveLength(vector!.length)
      expect(after).toHaveLength(vector!.length)
    })

    it('puts its instruction before a query and another before a document', async () => {
      const [asQuery, asDocument] = await embedded(['find: a ferry', 'keep: a ferry'])
      await using({ queryPrefix: 'find: ', documentPrefix: 'keep: ' }, async (embedder) => {
        const [found] = await embedder.embed(['a ferry'], query)
        const [kept] = await embedder.embed(['a ferry'], document)
        expect(distance(found!, asQuery!)).toBeLessThan(batchTolerance)
        expect(distance(kept!, asDocument!)).toBeLessThan(batchTolerance)
      })
    })

    it('leaves its arguments as they are', async () => {
      const input = Object.freeze(['b', 'a longer text', 'a'])
      await embedded(input)
      expect(input).toEqual(['b', 'a longer text', 'a'])
    })

    it('answers several callers at once', () =>
      using({}, async (embedder) => {
        const answers = await Promise.all(texts.slice(0, 8).map((text) => embedder.embed([text], query)))
        const together = await embedder.embed(texts.slice(0, 8), query)
        for (const [at, [vector]] of answers.entries()) {
          expect(distance(vector!, together[at]!)).toBeLessThan(batchTolerance)
        }
      }))

    it('rejects with the reason as cause once its caller has aborted', () =>
      using({}, async (embedder) => {
        const reason = new Error('not needed any more')
        const aborted = { code: 'aborted', cause: reason }
        const early = embedder.embed(texts, { ...document, signal: AbortSignal.abort(reason) })
        await expect(early).rejects.toMatchObject(aborted)

        const controller = new AbortController()
        const late = embedder.embed(texts, { ...document, signal: controller.signal })
        controller.abort(reason)
        await expect(late).rejects.toMatchObject(aborted)
        expect(await embedder.embed(['still there'], query)).toHaveLength(1)
      }))
  })
}

/** The greatest difference of two vectors in one dimension. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, at) => Math.abs(value - b[at]!)))
}
