import { describe, expect, it } from 'vitest'
import { type CorpusSize, describeMemory, measured } from '../../../src/cli/output/memory.ts'

const million = { documents: 1e6, characters: 6e8 }

describe('the memory of an index', () => {
  it('is not announced for a small one', () => {
    expect(describeMemory({ documents: 5000, characters: 1e6 }, 384)).toEqual([])
  })

  it('has a figure for words, and one for vectors', () => {
    expect(describeMemory(million, undefined, 1e12)).toEqual([
      'Memory: about 12.0 GB while the words are indexed.',
    ])
    expect(describeMemory(million, 384, 1e12)).toEqual([
      'Memory: about 12.0 GB while the words are indexed, and 1.5 GB for the vectors (1000000 documents × 384 dimensions × 4 bytes).',
    ])
  })

  it('comes with a warning if Node allows less', () => {
    const [, warning] = describeMemory(million, 384, 4e9)
    expect(warning).toMatch(
      /^WARNING: that is more than the 4\.0 GB .* NODE_OPTIONS=--max-old-space-size=14306\.$/,
    )
  })

  it('is known once all documents have passed', async () => {
    async function* documents() {
      yield { docid: 'a', title: 'A', text: 'bc' }
      yield { docid: 'd', text: '' }
    }
    const size: CorpusSize = { documents: 0, characters: 0 }
    const passed = []
    for await (const { docid } of measured(documents(), size)) passed.push(docid)
    expect([passed, size]).toEqual([['a', 'd'], { documents: 2, characters: 3 }])
  })
})
