/**
 * Legs of learned weights on real servers: `sparse_vector` in Elasticsearch, in the build that has x-pack, and `rank_features` in
 * OpenSearch without plugins. No published build that can be started here has `semantic_text` or `neural_sparse`:
 * test/adapters/search/cluster/sparse-requests.test.ts checks those requests against the types of the clients.
 */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { requiredFiles } from '../../adapters/models/model-files.ts'
import { onnxSparseEncoder } from '../../adapters/models/onnx-sparse.ts'
import { buildClusterIndex } from '../../adapters/search/cluster/build.ts'
import type { Cluster } from '../../adapters/search/cluster/cluster.ts'
import type { ClusterRetrieverOptions } from '../../adapters/search/cluster/options.ts'
import { clusterRetriever } from '../../adapters/search/cluster/retriever.ts'
import type { BuildOptions, Documents } from '../../adapters/search/corpus.ts'
import { connectElasticsearch } from '../../adapters/search/elasticsearch.ts'
import { connectOpensearch } from '../../adapters/search/opensearch.ts'
import type { Document } from '../../src/types.ts'
import { library, testRetriever } from '../adapters/search/conformance.ts'
import { startEngine } from '../support/engines.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { wordWeights } from '../support/word-weights.ts'
import { testIndexName } from './test-index.ts'

const secure = await startEngine('elasticsearch-secure')
afterAll(secure.stop)
const connected = {
  elasticsearch: await connectElasticsearch({ url: secure.urls[0]!, auth: secure.credentials! }),
  opensearch: await connectOpensearch({ url: inject('opensearch') }),
}
const encoder = wordWeights()
const types = { elasticsearch: 'sparse_vector', opensearch: 'rank_features' }

/** An index with these documents, and the weights of their words. */
async function weighedIndex(
  engine: Cluster,
  documents: Documents,
  options: BuildOptions = {},
): Promise<string> {
  const index = testIndexName(engine)
  await buildClusterIndex(engine, [], { index })
  const mapping = { properties: { weights: { type: types[engine.kind] } } }
  await engine.send({ name: 'put', method: 'PUT', path: `/${index}/_mapping`, body: mapping })
  const all: Document[] = []
  async function* noted(): AsyncGenerator<Document> {
    for await (const document of documents) {
      all.push(document)
      yield document
    }
  }
  await buildClusterIndex(engine, noted(), { index, ...options })
  const weights = await encoder.encode(
    all.map(({ title = '', text }) => `${title} ${text}`),
    { kind: 'document' },
  )
  const lines = all.flatMap(({ docid }, at) => [
    { update: { _id: docid } },
    { doc: { weights: Object.fromEntries(weights[at]!) } },
  ])
  if (lines.length === 0) return index
  const path = `/${index}/_bulk`
  const { body } = await engine.send({
    name: 'bulk',
    method: 'POST',
    path,
    querystring: { refresh: 'true' },
    lines,
  })
  expect(body).toMatchObject({ errors: false })
  return index
}

describe.each(['elasticsearch', 'opensearch'] as const)('%s', (kind) => {
  // Retrievers close their engine, and there are many on this one.
  const engine: Cluster = { ...connected[kind], close: async () => {} }
  const sparse = { field: 'weights', encoder, rankFeatures: kind === 'opensearch' }

  testRetriever({
    name: `${kind}, weights`,
    without: (docid) => ({ bool: { must_not: { term: { docid } } } }),
    async create(documents, options) {
      const index = await weighedIndex(engine, documents, options)
      const retriever = clusterRetriever(engine, { index, fields: false, sparse, tieBreak: 'docid' })
      // Its one list has a name of its own.
      return { ...retriever, name: retriever.legs[0]!.name }
    },
  })

  it('scores by the sum of products of weights', async () => {
    const index = await weighedIndex(engine, [
      { docid: 'both', text: 'red red fox#' },
      { docid: 'one', text: 'a red bear' },
      { docid: 'none', text: 'a bear' },
    ])
    const retriever = clusterRetriever(engine, { index, fields: false, sparse })
    const [leg] = await retriever.retrieve([{ text: 'Red fox #', round: 1 }], { k: 5 })
    const [once, twice] = [Math.log(2), Math.log(3)]
    expect(leg!.hits!.map(({ docid }) => docid)).toEqual(['both', 'one'])
    // Lucene keeps nine bits of a weight.
    expect(leg!.hits![0]!.score / (once * twice + 2 * once * once)).toBeCloseTo(1, 2)
    expect(leg!.hits![1]!.score / (once * once)).toBeCloseTo(1, 2)
  })

  it('searches by a table of weights, without a network', async () => {
    const model = await temporaryFolder()
    for (const file of requiredFiles)
      await copyFile(join('test/fixtures/cross-encoder', file), join(model, file))
    await writeFile(join(model, 'idf.json'), JSON.stringify({ dracula: 7.5, ulysses: 2, who: 0 }))
    const index = await weighedIndex(engine, [
      { docid: 'ulysses', text: 'who wrote ulysses' },
      { docid: 'dracula', text: 'dracula' },
      { docid: 'none', text: 'who wrote it' },
    ])
    const table = { ...sparse, encoder: await onnxSparseEncoder({ model }) }
    const retriever = clusterRetriever(engine, { index, fields: false, sparse: table })
    const [leg] = await retriever.retrieve([{ text: 'Who wrote Dracula, Ulysses?', round: 1 }], { k: 5 })
    expect(leg!.hits!.map(({ docid }) => docid)).toEqual(['dracula', 'ulysses'])
    // The document's weight of a word that it has once is log 2; Lucene keeps nine bits of it.
    const scores = leg!.hits!.map(({ score }) => score / Math.log(2))
    expect(scores[0]! / 7.5).toBeCloseTo(1, 2)
    expect(scores[1]! / 2).toBeCloseTo(1, 2)
  })

  it('answers a list of words and one of weights a sub-query, both filtered', async () => {
    const index = await weighedIndex(engine, library)
    const search = async (options: Partial<ClusterRetrieverOptions>) => {
      const retriever = clusterRetriever(engine, { index, name: 'cluster', sparse, ...options })
      const legs = await retriever.retrieve([{ text: 'the river glacier', round: 1 }], { k: 5 })
      return legs.map((leg) => [leg.retriever, leg.hits?.map(({ docid }) => docid)])
    }
    expect(await search({})).toEqual([
      ['cluster', ['d5', 'd4']],
      [
        'cluster-sparse',
        ['d5', expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
      ],
    ])
    expect(await search({ filter: { term: { docid: 'd4' } } })).toEqual([
      ['cluster', ['d4']],
      ['cluster-sparse', ['d4']],
    ])
  })

  it('does not take a field of another type for weights, and finds the words', async () => {
    const index = await weighedIndex(engine, library)
    const wrong = { ...sparse, field: 'contents' }
    const [words, weights] = await clusterRetriever(engine, { index, sparse: wrong }).retrieve(
      [{ text: 'oboe', round: 1 }],
      { k: 3 },
    )
    expect(words?.hits).toHaveLength(1)
    if (kind === 'elasticsearch')
      expect(weights?.error).toMatchObject({ name: 'ResponseError', statusCode: 400 })
    else expect(weights?.hits).toEqual([])
  })
})
