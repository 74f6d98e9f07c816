import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asWriteError } from '../../src/index-folder/disk.ts'
import { openEmbeddingJournal } from '../../src/index-folder/embedding-journal.ts'
import { journaledEmbedder } from '../../src/index-folder/journaled-embedder.ts'
import type { Embedder } from '../../src/types.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The direction of a text is its length; `asked` keeps what was embedded. */
function lengthEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    name: 'length',
    dimensions: 2,
    asked,
    async embed(texts) {
      asked.push(...texts)
      return texts.map((text) => unit(text.length))
    },
  }
}

const unit = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))

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
    expect(vectors).toEqual([unit(3), unit(5), unit(3)])
    await journal.close()

    const reopened = await open()
    const second = journaledEmbedder(embedder, reopened)
    const again = await second.embed(['seven', 'three', 'one'], { kind: 'document' })
    expect(again).toEqual([unit(5), unit(5), unit(3)])
    expect([first.computed, second.computed]).toEqual([2, 1])
    expect(embedder.asked).toEqual(['one', 'three', 'seven'])
    expect(second.used.size).toBe(3)
    await reopened.close()
  })

  it('has an error of the file system that is none of the folder', async () => {
    const journal = await (await openJournal())()
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' })
    const failing = { ...lengthEmbedder(), embed: () => Promise.reject(denied) }
    const error = await journaledEmbedder(failing, journal)
      .embed(['one'], { kind: 'document' })
      .catch((thrown: unknown) => thrown)
    expect(asWriteError(error, 'folder')).toBe(denied)
    await journal.close()
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

  it.each([
    ['of another size', [Float32Array.of(1)], /length .*\b1 .* 2\b/],
    ['of another length', [Float32Array.of(2, 0)], /length .*\b2, .*1\b/],
    ['that are no numbers', [Float32Array.of(Number.NaN, 0)], /length .*NaN/],
    ['that are missing', [], /length/],
  ])('refuses vectors %s, and does not keep them', async (_name, vectors, message) => {
    const journal = await (await openJournal())()
    const wrong: Embedder = { ...lengthEmbedder(), embed: async () => vectors }
    await expectError(
      journaledEmbedder(wrong, journal).embed(['a'], { kind: 'document' }),
      'embed-failed',
      message,
    )
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
