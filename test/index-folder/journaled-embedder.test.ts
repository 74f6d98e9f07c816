import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openEmbeddingJournal } from '../../src/index-folder/embedding-journal.ts'
import { journaledEmbedder } from '../../src/index-folder/journaled-embedder.ts'
import type { Embedder } from '../../src/types.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The vector of a text is its length and 1; `asked` keeps what was embedded. */
function lengthEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    name: 'length',
    dimensions: 2,
    asked,
    async embed(texts) {
      asked.push(...texts)
      return texts.map((text) => Float32Array.of(text.length, 1))
    },
  }
}

async function openJournal() {
  const path = join(await temporaryFolder(), 'journal')
  return () => openEmbeddingJournal(path, 2)
}

describe('journaledEmbedder', () => {
  it('computes each text once, across batches and processes, in any order', async () => {
    const open = await openJournal()
    const embedder = lengthEmbedder()
    const journal = await open()
    const first = journaledEmbedder(embedder, journal)
    const vectors = await first.embed(['one', 'three', 'one'], { kind: 'document' })
    expect(vectors.map(([length]) => length)).toEqual([3, 5, 3])
    await journal.close()

    const reopened = await open()
    const second = journaledEmbedder(embedder, reopened)
    const again = await second.embed(['seven', 'three', 'one'], { kind: 'document' })
    expect(again.map(([length]) => length)).toEqual([5, 5, 3])
    expect([first.computed, second.computed]).toEqual([2, 1])
    expect(embedder.asked).toEqual(['one', 'three', 'seven'])
    expect(second.used.size).toBe(3)
    await reopened.close()
  })

  it('writes down after a few texts, so that a failure later costs only those', async () => {
    const journal = await (await openJournal())()
    const embedder = lengthEmbedder()
    const failing: Embedder = {
      ...embedder,
      embed: (texts, options) =>
        texts.includes('text 50') ? Promise.reject(new Error('killed')) : embedder.embed(texts, options),
    }
    const texts = Array.from({ length: 100 }, (_, number) => `text ${number}`)
    await expect(journaledEmbedder(failing, journal).embed(texts, { kind: 'document' })).rejects.toThrow(
      'killed',
    )
    // Steps of 32 texts: the first is kept, the second holds number 50.
    expect(journal.size).toBe(32)
    await journal.close()
  })

  it('refuses vectors that would not fit the journal', async () => {
    const journal = await (await openJournal())()
    const wrong: Embedder = { ...lengthEmbedder(), embed: async () => [Float32Array.of(1)] }
    await expect(journaledEmbedder(wrong, journal).embed(['a'], { kind: 'document' })).rejects.toMatchObject({
      code: 'embed-failed',
    })
    expect(journal.size).toBe(0)
    await journal.close()
  })

  it('tells how many texts have their vectors', async () => {
    const journal = await (await openJournal())()
    const seen: number[] = []
    const journaled = journaledEmbedder(lengthEmbedder(), journal, (done) => seen.push(done))
    const texts = Array.from({ length: 40 }, (_, number) => `text ${number}`)
    await journaled.embed(texts, { kind: 'document' })
    await journaled.embed(texts, { kind: 'document' })
    expect(seen).toEqual([0, 32, 40, 80])
    await journal.close()
  })
})
