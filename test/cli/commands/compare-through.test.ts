/** `querent compare --through` and `--target`: what is measured is what a proxy answers. test/engines has the same before real clusters. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import { readBeir } from '../../../src/evaluation/beir-folder.ts'
import { scoreRun } from '../../../src/evaluation/score.ts'
import type { Hit, Turn } from '../../../src/types.ts'
import { valuesOf } from '../../support/raw-http.ts'
import { startRecordingServer } from '../../support/recording-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { startSearchableEngine } from '../../support/searchable-engine.ts'
import { sampleDocuments, sampleFolder } from '../../support/small-policy.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Every third query: conversations are among them. */
async function someQueries(): Promise<string> {
  const lines = (await readFile(join(sampleFolder, 'queries.jsonl'), 'utf8')).trim().split('\n')
  return file('queries.jsonl', lines.filter((_, at) => at % 3 === 0).join('\n'))
}

const metrics = ['recall@5', 'ndcg@10', 'mrr@10']
const boosted = '{"query":{"multi_match":{"query":"{query}","fields":["title^3","text"]}},"size":10}'
/** However slow the machine is, what Querent adds is waited for. */
const patience = { legTimeout: 60_000, budget: { timeout: 60_000 } }
const patient = ['--set', 'legTimeout=1m', '--timeout', '1m']

async function engine(): Promise<string> {
  const documents = await sampleDocuments()
  return startSearchableEngine(documents.map(({ docid: id, title = '', text }) => ({ id, title, text })))
}

async function proxyBefore(target: string, window: number): Promise<string> {
  const proxy = await createProxy({ target, window, ...patience })
  onTestFinished(() => proxy.close())
  return proxy.listen(0)
}

async function file(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return path
}

async function compared(...flags: readonly string[]) {
  const argv = ['compare', sampleFolder, '--name', 'works', ...flags, '--json']
  const { status, output, errors } = await runToEnd(argv)
  expect([status, errors]).toEqual([0, expect.stringContaining('Split test')])
  const { systems, queries, outcomes, metrics } = JSON.parse(output)
  const scores = systems.map((one: { name: string; scores: unknown }) => ({
    name: one.name,
    scores: one.scores,
  }))
  const values = queries.map((one: { results: { values: unknown }[] }) =>
    one.results.map(({ values }) => values),
  )
  return { scores, values, outcomes, metrics }
}

describe('querent compare --through, --target', () => {
  it.each([
    ['a search of all texts', undefined, 20],
    ['a body with boosts', boosted, 30],
  ])(
    'measures what the proxy answers, to the last digit: %s',
    async (_, body, window) => {
      const target = await engine()
      const url = await proxyBefore(target, window)
      const questions = await someQueries()
      const named = body === undefined ? [] : ['--body', await file('search.json', body)]
      const flags = ['--queries', questions, ...named]
      const through = await compared('--through', url, ...flags)
      expect(await compared('--target', target, '--set', `window=${window}`, ...patient, ...flags)).toEqual(
        through,
      )

      // What an application gets, scored by itself.
      const { queries, qrels } = await readBeir(sampleFolder, { queries: questions })
      const judged = queries.filter(({ qid }) => qrels.has(qid!))
      const values: unknown[] = []
      for (const { qid, text, history } of judged) {
        const own = body ?? '{"query":{"multi_match":{"query":"{query}","fields":["title","text"]}}}'
        const found = await Promise.all(
          [target, url].map((at) =>
            hitsAt(
              at,
              own.replace('{query}', () => JSON.stringify(text).slice(1, -1)),
              history,
            ),
          ),
        )
        values.push(found.map((hits) => scored(hits, qid!, qrels)))
      }
      expect(through.values).toEqual(values)
      const [alone, optimized] = [0, 1].map((at) =>
        values.map((one) => JSON.stringify((one as unknown[])[at])),
      )
      expect(optimized).not.toEqual(alone)
      expect(through.outcomes['with Querent: changed']).toBeGreaterThan(judged.length / 2)
    },
    60_000,
  )

  it('sends the body as it is written, with the words in it or, for two braces, beside it', async () => {
    const headers = ['content-type', 'application/json']
    const { url, requests } = await startRecordingServer(({ path }) => {
      const hits = { hits: { hits: [{ _id: 'd1', _score: null }] } }
      const fields = { fields: { text: { text: { type: 'text' } } } }
      const answer = path.includes('health') ? { status: 'ok' } : path.includes('_field_caps') ? fields : hits
      return { headers, body: JSON.stringify(answer) }
    })
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'queries.jsonl'), '{"_id":"q1","text":"5\\" disk $& été"}\n')
    await writeFile(join(folder, 'qrels.tsv'), 'query-id\tcorpus-id\tscore\nq1\td1\t1\n')
    const argv = ['compare', folder, '--name', 'works', '--through', url, '--json']
    for (const body of ['{ "boost": 1.0, "q": "{query}" }', '{"q":"{{query}}","size":3}'])
      expect((await runToEnd([...argv, '--body', await file('body.json', body)])).status).toBe(0)
    const sent = requests.filter(({ path }) => path.includes('_search'))
    expect(sent.map(({ path, body }) => [path, String(body)])).toEqual([
      ...Array(2).fill(['/works/_search', '{ "boost": 1.0, "q": "5\\" disk $& été" }']),
      ...Array(2).fill(['/works/_search', '{"q":"{{query}}","size":3}']),
    ])
    const told = (name: string) => sent.map(({ headers }) => valuesOf(headers, name)[0])
    const words = encodeURIComponent('5" disk $& été')
    expect(told('x-querent-query')).toEqual([undefined, undefined, words, words])
    expect(told('x-querent-optimize')).toEqual(['false', undefined, 'false', undefined])
  })

  it.each<readonly [string, readonly string[], string]>([
    [
      'an index that there is not',
      ['--name', 'none'],
      'The fields of none cannot be read: the cluster answers 404',
    ],
    ['no index', [], '--name is missing'],
    ['an engine', ['--name', 'works', '--through', 'ENGINE'], 'is no proxy of Querent: it answers 404'],
    ['both', ['--name', 'works', '--through', 'ENGINE', '--target', 'ENGINE'], '--through or --target'],
    [
      'a body without words',
      ['--name', 'works', '--body', 'BODY'],
      'is not the body of a search with {query} in it',
    ],
    ['no body', ['--name', 'works', '--body', 'nowhere.json'], 'nowhere.json cannot be read'],
    ['a body alone', ['--name', 'works', '--body', 'BODY', '--no-target'], '--through or --target'],
  ])('says what is wrong: %s', async (_, flags, message) => {
    const target = await engine()
    const url =
      flags.includes('--through') || flags.includes('--no-target')
        ? []
        : ['--through', await proxyBefore(target, 20)]
    const body = await file('body.json', '{"query":{"match_all":{}}}')
    const written = flags.filter((one) => one !== '--no-target')
    const argv = written.map((one) => (one === 'ENGINE' ? target : one === 'BODY' ? body : one))
    const { status, errors } = await runToEnd(['compare', sampleFolder, ...url, ...argv])
    expect([status > 0, errors]).toEqual([true, expect.stringContaining(message)])
  })

  it('ends where no hit at all is judged', async () => {
    const target = await startSearchableEngine([{ id: 'other', title: 'the', text: 'who was the of in a' }])
    const { errors } = await runToEnd(['compare', sampleFolder, '--name', 'works', '--target', target])
    expect(errors).toContain('No hit of works is judged')
    expect(errors).toContain('Check --name and --body')
  })
})

interface Found {
  readonly hits: { readonly hits: readonly { readonly _id: string }[] }
}

async function hitsAt(url: string, body: string, history: readonly Turn[] = []): Promise<Hit[]> {
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(history.length > 0 && { 'x-querent-history': encodeURIComponent(JSON.stringify(history)) }),
    },
    body,
  }
  const { hits } = (await (await fetch(`${url}/works/_search`, init)).json()) as Found
  return hits.hits.map(({ _id }, at) => ({ docid: _id, score: 0, rank: at + 1 }))
}

const scored = (hits: readonly Hit[], qid: string, qrels: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
  Object.fromEntries(scoreRun(new Map([[qid, hits]]), qrels, metrics, [qid]).means)
