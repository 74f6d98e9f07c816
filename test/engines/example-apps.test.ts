/** The applications of examples/apps, plain and optimized, as processes of their own before real engines. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { type ExampleApp, startExampleApp } from './example-app.ts'
import { createSampleIndex, type SampleIndex } from './sample-index.ts'

const question = 'Was the author of Dracula born in the same city as the author of Ulysses?'

describe.each([
  { app: 'express-elasticsearch', kind: 'elasticsearch', variable: 'ELASTICSEARCH_URL' },
  { app: 'koa-opensearch', kind: 'opensearch', variable: 'OPENSEARCH_URL' },
] as const)('the application $app', ({ app, kind, variable }) => {
  const url = inject(kind)
  let index: SampleIndex
  let plain: ExampleApp
  let optimized: ExampleApp
  beforeAll(async () => {
    index = await createSampleIndex(url)
    const env = { [variable]: url, ARTICLES: index.name }
    plain = await startExampleApp(app, env)
    optimized = await startExampleApp(`${app}-optimized`, env)
  })
  afterAll(async () => {
    await Promise.all([plain?.stop(), optimized?.stop()])
    await index?.delete()
  })

  it('answers in the same form, optimized or not', async () => {
    const [own, ours] = await Promise.all([plain.search('bridges'), optimized.search('bridges')])
    for (const articles of [own, ours]) {
      expect(articles).toHaveLength(5)
      for (const article of articles)
        expect(article).toEqual({ id: expect.any(String), title: expect.any(String) })
    }
  })

  it('finds for a question of two parts, optimized, what it does not find by itself', async () => {
    const [own, ours] = [await plain.search(question), await optimized.search(question)]
    expect(own.map(({ id }) => id)).not.toContain('james-joyce')
    expect(ours.map(({ id }) => id)).toContain('james-joyce')
  })

  it('finds more of what answers the questions of the sample, and loses nothing', async () => {
    const { queries, qrels } = await readBeir(sampleFolder)
    const missed = { plain: 0, optimized: 0, lost: [] as string[] }
    for (const { qid, text, history } of queries) {
      if (history !== undefined) continue
      const [own, ours] = [await plain.search(text), await optimized.search(text)]
      for (const [docid, grade] of qrels.get(qid!) ?? []) {
        if (grade <= 0) continue
        const [before, after] = [own, ours].map((articles) => articles.some(({ id }) => id === docid))
        if (!before) missed.plain++
        if (!after) missed.optimized++
        if (before && !after) missed.lost.push(`${docid} for: ${text}`)
      }
    }
    process.stdout.write(`${app}: not among the first five: ${missed.plain}, optimized ${missed.optimized}\n`)
    expect(missed.optimized).toBeLessThan(missed.plain)
    expect(missed.lost).toEqual([])
  })

  it('answers an empty question as it did before', async () => {
    expect(await optimized.search('')).toEqual(await plain.search(''))
  })

  it('ends when it is told to, and has complained of nothing', async () => {
    for (const one of [plain, optimized]) {
      expect(await one.stop()).toMatchObject({ status: 'SIGTERM', errors: '' })
      await expect(fetch(one.url)).rejects.toThrow()
    }
  })
})
