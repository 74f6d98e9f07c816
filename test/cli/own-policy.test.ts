/** A policy in a module of the user's own: `--policy ./my-policy.mjs`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { settled } from '../support/manual-clock.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { testTerminal } from '../support/test-terminal.ts'

const corpus = [
  { _id: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { _id: 'herbert', title: 'Frank Herbert', text: 'An American writer, born in Tacoma.' },
  { _id: 'tacoma', title: 'Tacoma', text: 'A city on the coast of Washington.' },
]

/** Asks twice, retrieves in three rounds, and answers with citations. */
const source = `
const prompt = (name, final) => ({
  name,
  final,
  render: (text) => [{ role: 'user', content: text }],
  parse: (text) => text,
})
const [rewrite, answer] = [prompt('mine/rewrite', false), prompt('mine/answer', true)]

export default {
  name: 'mine',
  budget: { rounds: 3, asks: 2 },
  prompts: ['mine/rewrite', 'mine/answer'],
  async run({ text }, tools) {
    let legs = await tools.retrieve([{ text: await tools.ask(rewrite, text) }], { reason: 'rewritten' })
    for (const words of ['Frank Herbert', 'Tacoma'])
      legs = [...legs, ...(await tools.retrieve([{ text: words }], { reason: 'one hop more' }))]
    const citations = ['tacoma', 'herbert']
    const hits = tools.fuse(legs, { first: citations })
    return tools.answers ? { hits, citations, answer: await tools.ask(answer, 'answer') } : { hits }
  },
}
`

describe('--policy <module>', () => {
  /** A collection with its index, the policy, and a chat model for it. */
  async function prepared() {
    const folder = await temporaryFolder()
    const file = (name: string): string => join(folder, name)
    const lines = (all: readonly object[]): string => all.map((one) => `${JSON.stringify(one)}\n`).join('')
    await writeFile(file('corpus.jsonl'), lines(corpus))
    await writeFile(file('queries.jsonl'), lines([{ _id: 'q1', text: 'Where was the author of Dune born?' }]))
    await writeFile(file('qrels.tsv'), 'query-id\tcorpus-id\tscore\nq1\ttacoma\t1\n')
    await writeFile(file('mine.mjs'), source)
    await writeFile(file('none.mjs'), 'export const policy = 1\n')
    expect((await runToEnd(['index', folder, '--out', file('index')])).status).toBe(0)
    const server = await startOpenAIServer({
      chat: (question) => (question === 'answer' ? 'In Tacoma.' : 'desert planet'),
    })
    const chat = ['--chat-url', server.url, '--chat-model', 'scripted']
    const searching = (policy = 'mine.mjs') => [
      ...['--index', file('index'), '--policy', file(policy), '--no-rerank'],
      ...chat,
    ]
    return { folder, searching }
  }

  it('searches in its rounds, and shows the answer before the hits', async () => {
    const { searching } = await prepared()
    const { status, output } = await runToEnd([
      'search',
      'Where was the author of Dune born?',
      ...searching(),
    ])
    expect(status).toBe(0)
    expect(output.split('\n').slice(0, 2)).toEqual(['In Tacoma. [1] [2]', '  [1] Tacoma (tacoma)'])
    expect(output).toMatch(/1\. Tacoma .*\n.*\n +2\. Frank Herbert/)
    const { output: json } = await runToEnd(['search', 'Who?', ...searching(), '--json', '--trace'])
    expect(JSON.parse(json)).toMatchObject({
      answer: 'In Tacoma.',
      citations: ['tacoma', 'herbert'],
      trace: { policy: 'mine', steps: expect.arrayContaining([expect.objectContaining({ round: 3 })]) },
    })
  })

  it('is evaluated, and served over HTTP', async () => {
    const { folder, searching } = await prepared()
    const judged = await runToEnd(['evaluate', folder, ...searching(), '--metrics', 'mrr'])
    expect(judged).toMatchObject({ status: 0, output: expect.stringMatching(/^mrr +1\.0000/m) })
    const stop = new AbortController()
    const terminal = testTerminal({ signal: stop.signal })
    const ended = runCli(['serve', '--port', '0', ...searching()], terminal)
    const address = () => /Listening on (\S+)\/search\./.exec(terminal.errors())?.[1]
    while (address() === undefined) await settled()
    const response = await fetch(`${address()}/search?q=Where`)
    expect(await response.json()).toMatchObject({ answer: 'In Tacoma.', citations: ['tacoma', 'herbert'] })
    stop.abort()
    expect(await ended).toBe(0)
  })

  it.each([
    ['none.mjs', 2, 'its default export: expected a policy with run()'],
    ['nowhere.mjs', 1, 'cannot be loaded'],
  ])('%s: names the mistake', async (name, expected, message) => {
    const { searching } = await prepared()
    const { status, errors } = await runToEnd(['search', 'x', ...searching(name)])
    expect(status).toBe(expected)
    expect(errors).toContain(message)
  })
})
