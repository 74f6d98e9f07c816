import { describe, expect, it } from 'vitest'
import { buildSparse, loadSparse } from '../../../adapters/search/sparse.ts'
import type { SparseEncoder } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { wordWeights } from '../../support/word-weights.ts'
import { library, testRetriever } from './conformance.ts'

const encoder = wordWeights()

testRetriever({
  name: 'sparse',
  create: (documents, options) => buildSparse(documents, { encoder, ...options }),
  reopen: (retriever, folder) => retriever.save(folder).then(() => loadSparse(folder, { encoder })),
})

/** Weighs words that the text does not have, too. */
const expanding: SparseEncoder = {
  name: 'expanding',
  encode: async (texts, { kind }) =>
    texts.map((text) =>
      kind === 'query'
        ? new Map([[text, 2]])
        : new Map([
            [text, 1.5],
            ['animal', 0.5],
            ['rock', 0],
          ]),
    ),
}

describe('buildSparse', () => {
  it('names the encoder that is missing', async () =>
    expectError(buildSparse([], {} as never), 'bad-config', /buildSparse: encoder/))

  it('scores by the sum of products of weights above 0, those of added words too', async () => {
    const retriever = await buildSparse(
      ['fox', 'bear'].map((text) => ({ docid: text, text })),
      { encoder: expanding, name: 'mine' },
    )
    const subQueries = ['fox', 'animal', 'rock'].map((text) => ({ text, round: 1 }))
    const legs = await retriever.retrieve(subQueries, { k: 5 })
    expect(legs.map((leg) => [leg.retriever, leg.hits])).toEqual([
      ['mine', [{ docid: 'fox', score: 3, rank: 1 }]],
      [
        'mine',
        [
          { docid: 'bear', score: 1, rank: 1 },
          { docid: 'fox', score: 1, rank: 2 },
        ],
      ],
      ['mine', []],
    ])
    expect(retriever).toMatchObject({ kind: 'sparse', size: 2 })
  })

  it('keeps documents, and filters by their metadata', async () => {
    const { signal } = new AbortController()
    const documents = library.map((document, year) => ({ ...document, metadata: { year } }))
    const retriever = await buildSparse(documents, { encoder })
    expect(await retriever.documents?.(['d2', 'x'], { signal })).toEqual([documents[1], undefined])
    const search = async (filter: unknown) =>
      (await retriever.retrieve([{ text: 'the river', round: 1 }], { k: 9, filter }))[0]!.hits!.length
    expect(await search({ year: { gte: 4 } })).toBe(2)
    const bare = await buildSparse(library, { encoder, keepDocuments: false })
    expect(bare.documents).toBeUndefined()
  })

  it.each<[string, ReadonlyMap<string, number>[]]>([
    ['wrong', [new Map([['a', Number.NaN]])]],
    ['0 of 1', []],
  ])('refuses what an encoder must not give: %s', async (reason, weights) => {
    const wrong: SparseEncoder = { name: 'wrong', encode: async () => weights }
    const built = buildSparse([{ docid: 'a', text: 'a' }], { encoder: wrong })
    await expectError(built, 'embed-failed', reason)
  })
})

it('refuses an index of another encoder, and a folder without one', async () => {
  const folder = await temporaryFolder()
  await expectError(loadSparse(folder, { encoder }), 'bad-index')
  await (await buildSparse(library, { encoder })).save(folder)
  await expectError(loadSparse(folder, { encoder: expanding }), 'bad-index', /expanding/)
})
