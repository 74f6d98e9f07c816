/**
 * `querent compare` before a real engine, on four collections: a proxy that runs, one in the process and the log of a shadow say the
 * same of the same queries.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it, vi } from 'vitest'
import { createProxy } from '../../adapters/apps/proxy/proxy.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { scoreRun } from '../../src/evaluation/score.ts'
import { mean } from '../../src/learn/statistics.ts'
import { type ListChange, listChange, type ShadowSearch } from '../../src/shadow-search.ts'
import type { Qrels } from '../../src/types.ts'
import { collectionFolder, collectionsMissing, needsCollections } from '../support/collections.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { send } from '../support/search-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const body = '{"query":{"multi_match":{"query":"{query}","fields":["title^3","text"]}}}'

describe.skipIf(collectionsMissing)(`compare --through and --target ${needsCollections}`, () => {
  it.each(['esci-mini-train', 'feedbackqa-train', 'nq-train', 'scifact'])('%s', async (name) => {
    const [url, index] = [inject('elasticsearch'), `qx-through-${name}`]
    const source = collectionFolder(name)
    const indexed = await runToEnd(
      ['index', source, '--engine', 'elasticsearch', '--url', url, '--name', index].flat(),
    )
    expect(indexed.status, indexed.errors).toBe(0)
    const proxy = await createProxy({ target: url, legTimeout: 60_000, budget: { timeout: 60_000 } })
    try {
      const folder = join(await temporaryFolder(), name)
      await mkdir(folder)
      const queries = (await readFile(join(source, 'queries.jsonl'), 'utf8')).split('\n').slice(0, 15)
      await writeFile(join(folder, 'queries.jsonl'), queries.join('\n'))
      await writeFile(join(folder, 'qrels.tsv'), await readFile(join(source, 'qrels.tsv')))
      await writeFile(join(folder, 'search.json'), body)
      const argv = ['compare', folder, '--name', index, '--body', join(folder, 'search.json'), '--json']
      const figures = async (...flags: readonly string[]) => {
        const { status, output, errors } = await runToEnd([...argv, ...flags])
        expect(status, errors).toBe(0)
        const { systems, outcomes, queries, metrics } = JSON.parse(output)
        const scores = systems.map(({ scores }: { readonly scores: unknown }) => scores)
        const values = queries.map(({ results }: { readonly results: readonly { values: unknown }[] }) =>
          results.map(({ values }) => values),
        )
        const texts = queries.map(({ text }: { readonly text: string }) => text)
        return { scores, outcomes, values, texts, metrics }
      }
      const address = await proxy.listen(0)
      const through = await figures('--through', address)
      const patient = ['--set', 'legTimeout=1m', '--timeout', '1m']
      expect(await figures('--target', url, ...patient)).toEqual(through)
      expect(through.outcomes['with Querent: changed']).toBeGreaterThan(0)

      const { all, valuesOf } = await shadowed(url, index, through)
      expect(all.searches).toBe(through.texts.length)
      expect(all.changed).toBe(through.outcomes['with Querent: changed'])
      const changes = await changesThrough(address, index, through.texts)
      expect(all).toMatchObject({
        changed: changes.length,
        overlap: mean(changes.map(({ overlap }) => overlap)),
        displacement: mean(changes.map(({ displacement }) => displacement)),
      })
      const { qrels, queries: asked } = await readBeir(folder)
      const qidOf = new Map(asked.map(({ qid, text }) => [text, qid!]))
      for (const [place, text] of through.texts.entries())
        expect(valuesOf(text, qidOf.get(text)!, qrels) ?? through.values[place][0]).toEqual(
          through.values[place][1],
        )
    } finally {
      await proxy.close()
      await send(url, 'DELETE', `/${index}`)
    }
  })
})

/** How the first ten hits change through a proxy that optimizes, of those searches in which they do. */
async function changesThrough(url: string, index: string, texts: readonly string[]): Promise<ListChange[]> {
  const changes: ListChange[] = []
  for (const text of texts) {
    const lists: string[][] = []
    for (const optimize of ['false', 'true']) {
      const headers = { 'content-type': 'application/json', 'x-querent-optimize': optimize }
      const asked = { method: 'POST', headers, body: bodyFor(text) }
      const answer = await fetch(`${url}/${index}/_search`, asked)
      const { hits } = (await answer.json()) as { hits: { hits: readonly { readonly _id: string }[] } }
      lists.push(hits.hits.map(({ _id }) => _id))
    }
    const [before, after] = lists
    if (String(before) !== String(after)) changes.push(listChange(before!, after!))
  }
  return changes
}

const bodyFor = (text: string): string => body.replace('{query}', () => JSON.stringify(text).slice(1, -1))

/** The same searches through a proxy that only logs: its report, and the metrics of what the log says would have been shown. */
async function shadowed(
  target: string,
  index: string,
  { texts, metrics }: { readonly texts: readonly string[]; readonly metrics: readonly string[] },
) {
  const log = join(await temporaryFolder(), 'shadow.jsonl')
  const shadow = { log, words: true }
  const proxy = await createProxy({
    target,
    shadow,
    maxDelay: 60_000,
    legTimeout: 60_000,
    budget: { timeout: 60_000 },
  })
  const linesOf = async (): Promise<ShadowSearch[]> =>
    (await readFile(log, 'utf8'))
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  try {
    const url = await proxy.listen(0)
    for (const text of texts) await send(url, 'POST', `/${index}/_search`, bodyFor(text))
    await vi.waitFor(async () => expect(await linesOf()).toHaveLength(texts.length), { timeout: 60_000 })
    const lines = await linesOf()
    const { output } = await runToEnd(['shadow', 'report', log, '--json'])
    return {
      all: JSON.parse(output).all,
      /** Undefined if nothing would have changed. */
      valuesOf(text: string, qid: string, qrels: Qrels): Record<string, number> | undefined {
        const { after } = lines.find(({ words }) => words === text)!
        if (after === undefined) return undefined
        const hits = after.map((docid, at) => ({ docid, score: -at, rank: at + 1 }))
        const { means } = scoreRun(new Map([[qid, hits]]), qrels, metrics, [qid])
        return Object.fromEntries(means)
      },
    }
  } finally {
    await proxy.close()
  }
}
