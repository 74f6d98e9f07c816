/** `querent interleave report` on logs in files. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import { lineLogger, searchLogs } from '../../../adapters/telemetry/logs.ts'
import { startPagedEngine } from '../../support/paged-engine.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { deciding, patient } from '../../support/scripted-policy.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const day = 86_400_000

/** Of twelve queries of two days, the clicked hit of ten is Querent's. The last one has two more clicks that do not count. */
async function world() {
  const folder = await temporaryFolder()
  const [log, clicks, events] = ['searches.log', 'clicks.jsonl', 'events.jsonl'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const queries = Array.from({ length: 12 }, (_, place) => `q${place}`)
  const page = (qid: string, place: number) => ({
    ...{ level: 30, time: Date.UTC(2026, 0, 1) + (place * 2 * day) / 11, msg: 'search changed' },
    ...{ index: place < 8 ? 'articles' : 'help', decision: place % 2 === 0 ? 'as-is' : 'decompose' },
    interleaved: { qid, queryId: `u-${qid}`, engine: [`${qid}-a`], querent: [`${qid}-b`] },
  })
  const clicked = queries.map((qid, place) => [qid, `${qid}-${place < 10 ? 'b' : 'a'}`] as const)
  const write = (file: string, records: readonly object[]) =>
    writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await write(log, [{ level: 20, time: 1, msg: 'search passed through' }, ...queries.map(page)])
  await write(
    clicks,
    [...clicked, ['q0', 'none'], ['gone', 'q0-a']].map(([qid, docid]) => ({ qid, docid })),
  )
  const event = (query_id: string, object_id: string, action_name: string) => ({
    ...{ action_name, query_id, timestamp: '2026-01-03T00:00:00Z' },
    event_attributes: { object: { object_id } },
  })
  await write(events, [
    ...clicked.map(([qid, docid]) => event(`u-${qid}`, docid, 'click')),
    event('u-q0', 'q0-a', 'purchase'),
    { action_name: 'scroll', query_id: 'u-q0' },
  ])
  return { log, clicks, events }
}

const report = (...args: readonly string[]) => runToEnd(['interleave', 'report', ...args])

it('says who wins, in all and by index and decision', async () => {
  const { log, clicks } = await world()
  const { status, output, errors } = await report(log, '--clicks', clicks, '--format', 'markdown')
  // Ten or more heads of twelve: 2 · (66 + 12 + 1) / 4,096.
  expect(output).toContain('Querent is better, p = 0.0386.')
  expect(output).toContain(
    "Of 12 queries with both lists, 12 have clicks: Querent's hits won 10, the engine's 2.",
  )
  expect(output).toMatch(/\| all \|.*\| 10 \| 2 \| 0 \| 83\.3 % \| 51\.6 % to 97\.9 % \| 0\.0386 \| none \|/)
  expect(output).toMatch(/\| articles \| unchanged \| 4 \| 0 \| 0 \|/)
  expect(output).toMatch(/\| help \| split \| 1 \| 1 \| 0 \|/)
  expect([status, errors]).toEqual([0, expect.stringContaining('2 clicks')])
})

it('writes a page, whose picture has an interval for all and for each group', async () => {
  const { log, clicks } = await world()
  const out = join(await temporaryFolder(), 'verdict.html')
  expect((await report(log, '--clicks', clicks, '--out', out)).status).toBe(0)
  const page = await readFile(out, 'utf8')
  expect(page).toMatch(/<h1>Querent is better, p.=.0\.0386<\/h1>/)
  expect(page).toContain('aria-label="all: 10 of 12, 83')
  // All, articles (unchanged, split), help (unchanged, split).
  expect(page.match(/class="interval"/g)).toHaveLength(5)
  expect(page).toContain('help, split')
  expect((await report(log, '--clicks', clicks, '--out', 'verdict.txt')).errors).toContain('.html')
  expect((await report(log, '--clicks', clicks, '--out', log)).status).not.toBe(0)
})

it('reads events of User Behavior Insights, and says how long it takes yet', async () => {
  const { log, events } = await world()
  const { status, output } = await report(log, '--clicks', events, '--set', 'actions=purchase')
  // One of one: with a win more for each side two of three, of which 80 are needed (test/evaluation/sign-test.test.ts).
  expect(output).toMatch(
    /No verdict yet\..* won 0, the engine's 1\. It takes about 7\d queries more that clicks decide, 1\d\d days at/,
  )
  expect(status).toBe(0)
  const all = await report(log, '--clicks', events, '--json')
  expect(JSON.parse(all.output)).toMatchObject({ all: { querent: 10, engine: 2 }, uncounted: 0 })
})

it.each([
  ['no clicks', []],
  ['clicks of two places', ['--clicks', 'x', '--engine', 'opensearch']],
])('refuses %s', async (_, args) => {
  const { log } = await world()
  const { status, errors } = await report(log, ...args)
  expect([status, errors]).toEqual([2, expect.stringContaining('--clicks')])
})

it('names what it cannot read', async () => {
  const { log, clicks } = await world()
  expect(await report(log, '--clicks', log)).toMatchObject({
    status: 1,
    errors: expect.stringContaining(`${log}:1`),
  })
  expect((await report(clicks, '--clicks', clicks)).errors).toContain('--interleave')
  expect((await runToEnd(['interleave', 'start', log])).errors).toContain('interleave report')
})

it('reads what a proxy logs', async () => {
  const folder = await temporaryFolder()
  const [log, clicks] = [join(folder, 'searches.log'), join(folder, 'clicks.jsonl')]
  const lines: string[] = []
  const proxy = await createProxy({
    ...patient,
    target: await startPagedEngine(),
    policy: deciding(['harbour']),
    rerank: false,
    interleave: 1,
    observe: searchLogs({ logger: lineLogger((line) => void lines.push(line)) }),
  })
  const url = await proxy.listen(0)
  for (const words of ['river', 'canal', 'meadow', 'quarry', 'valley', 'orchard', 'river'])
    await fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: { match: { text: words } } }),
    })
  await proxy.close()
  await writeFile(log, lines.join('\n'))
  const pages = lines.map((line) => JSON.parse(line).interleaved as { qid: string; querent: string[] })
  // Who searches twice gets the same page.
  expect(pages[6]).toEqual(pages[0])
  await writeFile(clicks, pages.map(({ qid, querent: [docid] }) => JSON.stringify({ qid, docid })).join('\n'))
  const { output } = await report(log, '--clicks', clicks, '--json')
  expect(JSON.parse(output)).toMatchObject({
    ...{ queries: 6, uncounted: 0, all: { querent: 6, engine: 0, winner: 'querent' } },
    groups: [{ index: 'works', decision: 'rewrite', querent: 6 }],
  })
})
