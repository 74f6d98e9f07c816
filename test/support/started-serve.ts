/** `querent serve` over an index of three documents. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { manualClock, settled } from './manual-clock.ts'
import { runToEnd } from './run-to-end.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testTerminal } from './test-terminal.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { _id: 'emma', title: 'Emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
  { _id: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
]

/** The command, running until `end`. */
export async function startedServe(...argv: readonly string[]) {
  const folder = await temporaryFolder()
  const index = join(folder, 'index')
  const reindex = async (records: typeof corpus) => {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    await writeFile(join(folder, 'corpus.jsonl'), lines)
    expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
  }
  await reindex(corpus)
  const interrupt = new AbortController()
  const clock = manualClock()
  const terminal = testTerminal({ signal: interrupt.signal, clock })
  const over = { is: false }
  const ended = runCli(['serve', '--index', index, '--port', '0', ...argv], terminal).finally(() => {
    over.is = true
  })
  const said = () => /Listening on (\S+)\/search\./.exec(terminal.errors())
  while (said() === null && !over.is) await settled()
  const url = said()?.[1]
  if (url === undefined) throw new Error(terminal.errors())
  const end = async () => {
    interrupt.abort()
    return { status: await ended, errors: terminal.errors(), output: terminal.output() }
  }
  const until = async (text: string) => {
    while (!terminal.errors().includes(text) && !over.is) await settled()
  }
  const found = async (words: string) => {
    const response = await fetch(`${url}/search?q=${words}`)
    const { hits } = (await response.json()) as { readonly hits: readonly { readonly docid: string }[] }
    return hits.map(({ docid }) => docid)
  }
  return { url, index, end, clock, terminal, reindex, until, found }
}
