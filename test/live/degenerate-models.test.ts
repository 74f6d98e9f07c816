/** `querent serve` with a chat server that answers without sense or end: the process still answers others at once. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { completion, startChatServer } from '../support/chat-server.ts'
import { runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const records = ['dune', 'emma', 'solaris'].map((docid, place) => ({
  _id: docid,
  text: `A novel that costs ${place} euros.`,
  metadata: { brand: 'Aldo', price: place },
}))

const length = 200_000
const endless = [
  `It is so.${'\n'.repeat(length)}x`,
  `It is so.${' '.repeat(length)}x`,
  '\n'.repeat(length),
  `Thought: ${' '.repeat(length)}`,
  `${' '.repeat(length)}Action: [`,
  '[Retrieval, '.repeat(length / 12),
  'Thought: a Action: [1 '.repeat(length / 20),
  '{"query": '.repeat(length / 10),
  `\`\`\`${'\n'.repeat(length)}`,
  '<think>'.repeat(length / 7),
  `<answer>${'\n'.repeat(length)}`,
  'Step 1: <a>\nStep 2: b\n'.repeat(length / 22),
  'Document0, '.repeat(length / 11),
  "'".repeat(length),
  `Answer: a${'\n'.repeat(length)}Documents: 1`,
  'Answer: [1, '.repeat(length / 12),
  'Search: '.repeat(length / 8),
]

/** The most milliseconds that `/health` took until the search was over. */
async function slowestHealth(url: string, search: Promise<unknown>): Promise<number> {
  const over = { is: false }
  void search.finally(() => {
    over.is = true
  })
  let slowest = 0
  while (!over.is) {
    const start = performance.now()
    await (await fetch(`${url}/health`)).text()
    slowest = Math.max(slowest, performance.now() - start)
  }
  return slowest
}

it.each([
  [['--policy', 'agentic']],
  [['--policy', 'c3po']],
  [['--policy', 'mmoa']],
  [['--policy', 'mao']],
  [['--policy', 'sparkle']],
  [['--policy', 'acqo']],
  [['--policy', 'none', '--set', 'filterFields=brand,price=EUR']],
])('serve %j', async (argv) => {
  const folder = await temporaryFolder()
  const [corpus, index] = [join(folder, 'corpus.jsonl'), join(folder, 'index')]
  await writeFile(corpus, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  expect((await runCommand(['index', corpus, '--out', index])).status).toBe(0)
  let said = ''
  const chat = await startChatServer(() => completion(said))
  onTestFinished(() => chat.close())
  const asking = argv.includes('none') ? [] : ['--chat-url', chat.url, '--chat-model', 'm']
  const child = spawnCli(['serve', '--index', index, '--port', '0', ...asking, ...argv])
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  await vi.waitFor(() => expect(errors).toContain('Listening on '), { timeout: 60_000 })
  const url = /Listening on (http:\/\/[\d.:]+)/.exec(errors)![1]!

  const queries = argv.includes('none')
    ? [' and', ',', ' ', '\n', '1 ', '.', 'under 5 and ', ' not from Aldo or'].map(
        (piece) => `novels under 5 euros${piece.repeat(9900 / piece.length)} x`,
      )
    : endless.map(() => 'Which novel costs less?')
  const slow: string[] = []
  for (const [place, text] of queries.entries()) {
    said = endless[place]!
    // A machine that has other work may be late once.
    let slowest = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && slowest > 100; tries++) {
      const search = fetch(`${url}/search`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      }).then(async (response) => {
        expect(response.status).toBe(200)
        await response.text()
      })
      slowest = await slowestHealth(url, search)
      await search
    }
    if (slowest > 100)
      slow.push(`${slowest} ms: ${JSON.stringify((asking.length === 0 ? text : said).slice(0, 40))}`)
  }
  expect(slow).toEqual([])
})
