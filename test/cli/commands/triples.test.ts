import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { completion, failure, type Reply, startChatServer } from '../../support/chat-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel by Frank Herbert.' },
  { _id: 'empty', title: 'Empty', text: 'Hm.' },
]

/** A BEIR folder, a file beside it, and a server that answers about one document after the other. */
async function prepared(replies: readonly Reply[]) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'corpus.jsonl'), corpus.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const server = await startChatServer(replies)
  onTestFinished(() => server.close())
  const out = join(await temporaryFolder(), 'facts.jsonl')
  const argv = ['triples', folder, '--out', out, '--chat-url', server.url, '--set', 'chatRetries=0']
  return { folder, out, server, argv: [...argv, '--set', 'concurrency=1'] }
}

describe('querent triples', () => {
  it('writes facts, and says how many, and what was dropped', async () => {
    const facts = '<Dune; author; Frank Herbert>\nIt is a novel.'
    const { out, argv } = await prepared([completion(facts), completion('none')])
    const { status, output, errors } = await runToEnd(argv)
    expect([status, output]).toEqual([0, ''])
    expect(errors).toContain(
      `${out}: 2 documents (0 from before), 1 new fact, 1 malformed line dropped, 30 tokens`,
    )
    expect(await readFile(out, 'utf8')).toBe(
      '{"docid":"dune","triples":[["Dune","author","Frank Herbert"]]}\n{"docid":"empty","triples":[]}\n',
    )
  })

  it('goes on after a failure', async () => {
    const { out, argv } = await prepared([
      failure(500, 'out of memory'),
      completion('none'),
      completion('<a; b; c>'),
    ])
    const first = await runToEnd(argv)
    expect(first.status).toBe(0)
    expect(first.errors).toMatch(/1 document failed.*out of memory/)
    const { output } = await runToEnd([...argv, '--json'])
    expect(JSON.parse(output)).toMatchObject({ out, documents: 2, before: 1, triples: 1, failed: 0 })
  })

  it('fails when every document failed and the file is empty', async () => {
    const { out, argv } = await prepared([
      failure(500, 'out of memory'),
      failure(500, 'out of memory'),
      completion('none'),
      failure(500, 'out of memory'),
    ])
    const { status, errors } = await runToEnd(argv)
    expect(status).toBe(1)
    expect(errors).toMatch(/querent: Nothing was written: 2 documents failed\. .*out of memory/)
    expect(errors).not.toContain('What is finished is in')
    expect(await readFile(out, 'utf8')).toBe('')
    expect((await runToEnd([...argv, '--limit', '1'])).status).toBe(0)
    // What an earlier run wrote is still there to go on with.
    expect((await runToEnd([...argv, '--json'])).status).toBe(0)
  })

  it('keeps what is finished when it is stopped', async () => {
    const stop = new AbortController()
    const { out, argv, server } = await prepared([completion('none'), 'hang'])
    const running = runToEnd(argv, { signal: stop.signal })
    await server.arrived(2)
    stop.abort()
    const { status, errors } = await running
    expect(status).toBe(130)
    expect(errors).toContain(`${out}. `)
    expect(await readFile(out, 'utf8')).toBe('{"docid":"dune","triples":[]}\n')
  })

  it('needs a model, a corpus that exists, and a file of its own', async () => {
    const { folder, argv, out } = await prepared([])
    const without = await runToEnd(['triples', folder, '--out', out])
    expect(without).toMatchObject({ status: 2 })
    expect(without.errors).toContain('--chat-model')
    const nowhere = await runToEnd(argv.with(1, '/nowhere.jsonl'))
    expect(nowhere).toMatchObject({ status: 1 })
    expect(nowhere.errors).toContain('/nowhere.jsonl')
    expect((await runToEnd(argv.with(3, join(folder, 'corpus.jsonl')))).status).toBe(2)
    expect((await runToEnd(['triples', folder])).errors).toContain('--out is missing')
  })
})
