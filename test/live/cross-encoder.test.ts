/** Real cross-encoders with the real runtime: ids and scores of scripts/make-cross-encoder.py and make-headed-encoder.py. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as tokenizers from '@huggingface/tokenizers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { readPairTokenizer } from '../../adapters/models/tokenize-pair.ts'
import { onnxReranker } from '../../adapters/rerank/onnx.ts'
import type { Reranker } from '../../src/reranker.ts'
import { searchWith } from '../adapters/rerank/conformance.ts'
import { expectError } from '../support/expect-error.ts'
import { hits } from '../support/scripted.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = 'test/fixtures/cross-encoder'

/** A ModernBERT whose head is in the folders that modules.json names. */
const headed = 'test/fixtures/headed-encoder'

interface Expected {
  readonly query: string
  readonly text: string
  readonly ids: readonly number[]
  readonly types: readonly number[]
  readonly score: number
}
const expected = JSON.parse(await readFile(`${folder}/expected.json`, 'utf8')) as readonly Expected[]
const queries = [...new Set(expected.map(({ query }) => query))]

let reranker: Reranker
beforeAll(async () => {
  reranker = await onnxReranker({ model: folder, timeout: 60_000 })
})
afterAll(() => reranker.close?.())

it('tokenizes and cuts pairs as Hugging Face does', async () => {
  const tokenize = await readPairTokenizer(tokenizers, folder, 24)
  for (const { query, text, ids, types } of expected) expect(tokenize(query)(text)).toEqual({ ids, types })
})

it.each(queries)('scores as Python does, in one batch: %.30s', async (query) => {
  const pairs = expected.filter((pair) => pair.query === query)
  const docids = pairs.map((_, place) => String(place))
  const reranked = await reranker.rerank({ text: query }, [], hits(...docids), (docid) => ({
    docid,
    text: pairs[Number(docid)]!.text,
  }))
  for (const { docid, score } of reranked) expect(score).toBeCloseTo(pairs[Number(docid)]!.score, 5)
  const scores = reranked.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((one, other) => other - one))
})

it('scores as Sentence Transformers does, by the head behind an encoder', async () => {
  const pairs = JSON.parse(await readFile(`${headed}/expected.json`, 'utf8')) as readonly Expected[]
  const found = await onnxReranker({ model: headed, timeout: 60_000 })
  onTestFinished(() => found.close?.())
  for (const query of new Set(pairs.map((pair) => pair.query))) {
    const scores = new Map(
      pairs.filter((pair) => pair.query === query).map(({ text, score }) => [text, score]),
    )
    const reranked = await found.rerank({ text: query }, [], hits(...scores.keys()), (docid) => ({
      docid,
      text: docid,
    }))
    expect(reranked).toHaveLength(4)
    for (const { docid, score } of reranked) expect(score).toBeCloseTo(scores.get(docid)!, 4)
  }
})

it('does not take an encoder without a head for a re-ranker', async () => {
  const copy = await temporaryFolder()
  await cp(headed, copy, { recursive: true })
  const modules = join(copy, 'modules.json')
  const all = JSON.parse(await readFile(modules, 'utf8')) as readonly unknown[]
  await writeFile(modules, JSON.stringify(all.slice(0, 2)))
  await expectError(onnxReranker({ model: copy }), 'bad-file', /modules\.json.*at random/)
  await rm(modules)
  await expectError(onnxReranker({ model: copy }), 'bad-file', /modules\.json.*at random/)
})

it('re-ranks a search', async () => {
  const { trace } = await searchWith(reranker, ['dracula', 'ulysses', 'joyce'])
  expect(trace.steps.find((step) => step.type === 'rerank')).toMatchObject({ pool: 3 })
  expect(trace.steps.find((step) => step.type === 'rerank')?.error).toBeUndefined()
})

it('cannot be used after it was closed', async () => {
  const closed = await onnxReranker({ model: folder, threads: 1 })
  await closed.close?.()
  const call = closed.rerank({ text: 'q' }, [], hits('a'), (docid) => ({ docid, text: docid }))
  await expectError(Promise.resolve(call), 'rerank-failed')
})
