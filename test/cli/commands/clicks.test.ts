/** `querent clicks` on the logs of User Behavior Insights in files. test/engines/engine-cli.test.ts reads them from clusters. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { simulatedClicks } from '../../support/simulated-clicks.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ubiLogs } from '../../support/ubi-logs.ts'

async function world() {
  const folder = await temporaryFolder()
  const [queries, events, out] = ['queries.jsonl', 'events.jsonl', 'judged'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const logs = ubiLogs()
  const lines = (records: readonly object[]): string =>
    records.map((record) => JSON.stringify(record)).join('\n')
  await writeFile(queries, lines(logs.queries))
  await writeFile(events, lines(logs.events))
  return { queries, events, out, judged: (name: string) => readFile(join(out, name), 'utf8') }
}

const run = (...args: readonly string[]) => runToEnd(['clicks', ...args])

it('makes judgments from files', async () => {
  const { queries, events, out, judged } = await world()
  const { status, output, errors } = await run(queries, '--events', events, '--out', out, '--json')
  expect([status, errors]).toEqual([0, expect.stringContaining('1 query id')])
  expect(JSON.parse(output)).toMatchObject({ searches: 7, unclicked: 1, queries: 6 })
  expect(await judged('queries.jsonl')).toContain('{"_id":"c1","text":"words of q1"}')
  const qrels = (await judged('qrels/train.tsv')) + (await judged('qrels/test.tsv'))
  // The third document was clicked, so those above it were passed over.
  expect(qrels).toMatch(/c1\tq1-a\t0\nc1\tq1-b\t0\nc1\tq1-c\t1\n/)
})

it('counts what was shown in vain, and says how often ranks are looked at', async () => {
  const { queries: log, out } = await world()
  const lists = new Map(Array.from({ length: 40 }, (_, at) => [`q${at}`, ['a', 'b', 'c']]))
  const attracts = (_: string, docid: string) => (docid === 'a' ? 0.5 : 0.04)
  const searches = simulatedClicks(lists, { seed: 1, searches: 10, looks: (rank) => 1 / rank, attracts })
  const lines = searches.map(({ query, shown, clicks }) =>
    JSON.stringify({ qid: query.qid, query: query.text, shown, clicks }),
  )
  await writeFile(log, lines.join('\n'))
  const { errors } = await run(log, '--out', out)
  expect(errors).toMatch(/from the first: 1\.00 0\.\d\d 0\.\d\d\n/)
  await writeFile(log, lines[0]!.replace(/"clicks":.*/, '"clicks":["b"]}'))
  expect((await run(log, '--out', `${out}2`)).errors).toContain(
    'To compare systems, log searches without a click',
  )
})

it('makes judgments by which hits are left out that nobody was shown', async () => {
  const { queries, events, out } = await world()
  await run(queries, '--events', events, '--out', out)
  const path = join(out, 'run.trec')
  // Nobody was shown the first hit of the query. The second is the relevant one.
  const [qid, docid] = (await readFile(join(out, 'qrels/test.tsv'), 'utf8'))
    .match(/^(\S+)\t(\S+)\t1$/m)!
    .slice(1)
  await writeFile(path, `${qid} Q0 unseen 1 2 x\n${qid} Q0 ${docid} 2 1 x\n`)
  const measured = async (...flags: readonly string[]) => {
    const { output, errors } = await runToEnd(['evaluate', out, '--run-in', path, '--json', ...flags])
    return { metrics: JSON.parse(output).metrics, errors }
  }
  const { metrics, errors } = await measured()
  expect(metrics).toEqual({ 'recall@5-judged': 1, 'ndcg@10-judged': 1, 'mrr@10-judged': 1, bpref: 1 })
  expect(errors).toContain('Made from clicks')
  expect((await measured('--metrics', 'mrr')).metrics).toEqual({ mrr: 0.5 })
})

it('takes the actions of an application since a date', async () => {
  const { queries, events, out, judged } = await world()
  const chosen = ['--set', 'actions=purchase', '--set', 'application=shop', '--since', '2026-01-03']
  const { status } = await run(queries, '--events', events, '--out', out, ...chosen)
  expect(status).toBe(0)
  expect(await judged('queries.jsonl')).toBe('{"_id":"c1","text":"words of q4"}\n')
})

it.each([
  ['nothing to read', []],
  ['events alone', ['--events', 'x']],
  ['a file and a cluster', ['x', '--engine', 'opensearch', '--url', 'http://127.0.0.1:1']],
  ['events in a file, queries on a cluster', ['--events', 'x', '--engine', 'opensearch']],
])('refuses %s', async (_, args) => {
  const { status, errors } = await run(...args, '--out', join(await temporaryFolder(), 'judged'))
  expect([status, errors]).toEqual([2, expect.stringContaining('clicks')])
})

it('says that it cannot make the folder', async () => {
  const { queries, events } = await world()
  const { status, errors } = await run(queries, '--events', events, '--out', join(queries, 'judged'))
  expect([status, errors]).toEqual([1, expect.stringContaining('judged')])
})

it('refuses a date that is none', async () => {
  const { status, errors } = await run('x', '--since', 'yesterday', '--out', 'judged')
  expect([status, errors]).toEqual([2, expect.stringContaining('2026-01-31')])
})

it('says what to check if no click counts', async () => {
  const { queries, events, out } = await world()
  const { status, errors } = await run(queries, '--events', events, '--out', out, '--set', 'actions=share')
  expect([status, errors]).toEqual([1, expect.stringContaining('Check --set actions')])
})

describe('a log with an identifier that no judgment can have', () => {
  async function log() {
    const folder = await temporaryFolder()
    const [path, out] = [join(folder, 'clicks.jsonl'), join(folder, 'judged')]
    const write = (docid: string, more = '') =>
      writeFile(
        path,
        `{"query":"a","shown":["d1"],"clicks":["d1"]}\n\n${JSON.stringify({ query: 'b', shown: ['d1', docid], clicks: [docid] })}\n${more}`,
      )
    return { path, out, write }
  }

  it('is refused with its line, before anything is written', async () => {
    const { path, out, write } = await log()
    await write('d\t2')
    const { status, errors } = await run(path, '--out', out)
    expect(status).toBe(1)
    expect(errors).toContain(`${path}:3: the identifier "d\\t2"`)
    await write('d2')
    expect((await run(path, '--out', out)).status).toBe(0)
  })

  it('does not matter where nothing is judged', async () => {
    const { path, out, write } = await log()
    await write('d2', '{"query":"c","shown":["d1","d\\t3"],"clicks":["d1"]}\n')
    expect((await run(path, '--out', out)).status).toBe(0)
  })
})

it.skipIf(process.platform !== 'linux')(
  'leaves nothing behind if it cannot write everything (paths have 4,095 bytes on Linux)',
  async () => {
    const { queries, events, out } = await world()
    const folders = Array.from({ length: 30 }, () => 'folder'.repeat(40))
    const deep = join(out, ...folders).slice(0, 4070)
    const { status, errors } = await run(queries, '--events', events, '--out', deep)
    expect([status, errors]).toEqual([1, expect.stringContaining('queries.jsonl')])
    expect(await readdir(deep)).toEqual([])
  },
)
