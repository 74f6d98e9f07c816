/** `querent label`, with a judge of known error on a chat server. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { completion, type Reply, type SeenRequest, startChatServer } from '../../support/chat-server.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

/** `[people's grade, the model's, how many documents]` */
const table = [
  [0, 0, 6],
  [0, 1, 2],
  [1, 1, 3],
  [1, 2, 1],
  [2, 2, 3],
  [2, 3, 1],
  [3, 3, 4],
] as const
const documents = table.flatMap(([people, model, number]) =>
  Array.from({ length: number }, (_, at) => ({ people, model, docid: `d${people}${model}${at}` })),
)

/** Says the model's grade, but one less when it first sees a document before its question and people say 1: then a third reading decides. */
function judge({ body }: SeenRequest): Reply {
  const { content } = (body.messages as readonly { readonly content: string }[])[1]!
  const { people, model } = documents.find(({ docid }) => content.includes(docid))!
  return completion(`Grade: ${people === 1 && content.startsWith('Document') ? model - 1 : model}`)
}

async function world(script: (request: SeenRequest) => Reply = judge) {
  const folder = await temporaryFolder()
  const [corpus, queries, people, index, out] = [
    'corpus.jsonl',
    'words.jsonl',
    'people',
    'index',
    'judged',
  ].map((name) => join(folder, name)) as [string, string, string, string, string]
  const lines = (all: readonly unknown[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
  await writeFile(corpus, lines(documents.map(({ docid }) => ({ _id: docid, text: `a harbor, ${docid}` }))))
  await writeFile(queries, lines([{ _id: 'q 1', text: 'harbor' }]))
  await writeFile(people, documents.map(({ docid, people }) => `q%201 0 ${docid} ${people}\n`).join(''))
  expect((await runToEnd(['index', corpus, '--out', index])).status).toBe(0)
  const server = await startChatServer(script)
  onTestFinished(() => server.close())
  const chat = ['--chat-url', server.url, '--chat-model', 'judge', '--set', 'chatRetries=0']
  const argv = ['label', queries, '--index', index, '--out', out, '-k', '20', ...chat]
  return {
    folder,
    index,
    out,
    people,
    server,
    argv,
    read: (name: string) => readFile(join(out, name), 'utf8'),
  }
}

it('asks twice, a third time where these differ, and prints how far the model agrees with people', async () => {
  const { argv, server, people, out, index, read } = await world()
  // The search finds one document. People judged the others.
  const priced = ['-k', '1', '--qrels', people, '--yes', '--json', '--set', 'prices=judge=1000000/0']
  const { status, output, errors } = await runToEnd([...argv, ...priced])
  expect(status, errors).toBe(0)
  expect(server.requests).toHaveLength(2 * 20 + 4)
  expect(errors).toMatch(
    /20 documents for 1 query\. Left to ask of judge: 40 prompts, about \d{4,} tokens, about \$/,
  )

  // Of 20 documents, 16 have equal grades; people give 8, 4, 4, 4 of each, and the model 6, 5, 4, 5.
  const chance = (8 * 6 + 4 * 5 + 4 * 4 + 4 * 5) / 400
  // 12 are relevant to people, and 14 to the model, these 12 among them.
  const chanceOfRelevant = (12 * 14 + 8 * 6) / 400
  // Both together give 14, 9, 8, 9 of each. δ² of 0 and 2, say, is (14/2 + 9 + 8/2)².
  const [near, next] = [(14 / 2 + 9 / 2) ** 2, (9 / 2 + 8 / 2) ** 2]
  const observed = 2 * (2 * near + next + next)
  const expected =
    14 * 9 * near + 14 * 8 * 20 ** 2 + 14 * 9 * 28.5 ** 2 + 9 * 8 * next + 9 * 9 * 17 ** 2 + 8 * 9 * next
  const alpha = 1 - (39 * observed) / (2 * expected)
  const named = `alpha ${alpha.toFixed(2)}, Cohen's kappa 0.73 (relevant or not: 0.78).`
  const agreement = {
    documents: 20,
    kappa: expect.closeTo((16 / 20 - chance) / (1 - chance), 12),
    relevant: expect.closeTo((18 / 20 - chanceOfRelevant) / (1 - chanceOfRelevant), 12),
    alpha: expect.closeTo(alpha, 12),
  }
  // The server counts 12 tokens for each prompt, whose price is a dollar.
  expect(JSON.parse(output)).toMatchObject({
    documents: 20,
    failed: 0,
    usd: 12 * 44,
    agreement: { people: agreement },
  })
  expect(errors).toContain(
    `With people, on 20 documents, 12 of them relevant to people: Krippendorff's ${named}`,
  )

  expect((await read('qrels.tsv')).split('\n').toSorted().slice(1)).toEqual(
    documents
      .map(({ docid, model }) => `q%201 model:judge,alpha=${alpha.toFixed(2)} ${docid} ${model}`)
      .toSorted(),
  )
  const kept = JSON.parse((await read('labels.jsonl')).split('\n')[0]!)
  expect(kept).toMatchObject({ qid: 'q 1', reading: 1, model: 'judge', completion: /Grade: \d/ })
  for (const command of ['evaluate', 'train']) {
    const made = await runToEnd([
      command,
      out,
      '--index',
      index,
      ...(command === 'train' ? ['--out', `${out}.json`] : []),
    ])
    expect(made.errors).toContain(`of a language model: judge,alpha=${alpha.toFixed(2)}`)
    if (command === 'evaluate') expect(made.status).toBe(0)
  }
})

it('asks nothing twice, whenever it is stopped, and nothing of another model is taken', async () => {
  let asked = 0
  const { argv, server, out, read } = await world((request) => (++asked === 7 ? 'hang' : judge(request)))
  const stop = new AbortController()
  const going = [...argv, '--yes', '--set', 'concurrency=1']
  const running = runToEnd(going, { signal: stop.signal })
  await server.arrived(7)
  stop.abort()
  const { status, errors } = await running
  expect([status, errors]).toEqual([
    130,
    expect.stringContaining(`What is finished is in ${join(out, 'labels.jsonl')}`),
  ])
  expect((await read('labels.jsonl')).trim().split('\n')).toHaveLength(6)
  const again = await runToEnd(going)
  expect([again.status, server.requests.length]).toEqual([0, 44 + 1])
  expect(again.errors).toContain('agreement with people is unknown')
  expect((await read('qrels.tsv')).split('\n')[0]).toContain(' model:judge,alpha=unknown ')
  // All is known: no question, and the same judgments.
  expect((await runToEnd(argv)).status).toBe(0)
  expect(server.requests).toHaveLength(45)
  const other = await runToEnd(going.map((word) => (word === 'judge' ? 'other' : word)))
  expect(other.errors).toContain('Left to ask of other: 40 prompts')
})

it('leaves out what the model does not grade, and asks for it again', async () => {
  const strange = { isSilent: true }
  const { argv, read } = await world((request) =>
    strange.isSilent && JSON.stringify(request.body).includes('d330') ? completion('7') : judge(request),
  )
  const first = await runToEnd([...argv, '--yes'])
  expect([first.status, first.errors]).toEqual([0, expect.stringMatching(/1 document failed.*from 0 to 3/)])
  expect(await read('qrels.tsv')).not.toContain('d330')
  strange.isSilent = false
  const second = await runToEnd([...argv, '--yes'])
  expect(second.errors).toContain('Left to ask of judge: 2 prompts')
  expect(await read('qrels.tsv')).toContain('d330 3')
})

it('begins with a yes only, and writes over nothing', async () => {
  const { argv, server, out } = await world()
  const without = await runToEnd(argv)
  expect([without.status, without.errors]).toEqual([2, expect.stringContaining('--yes')])
  const typed = async (words: string) => {
    const stdin = Object.assign(Readable.from([words]), { isTTY: true })
    const terminal = { ...testTerminal(), stdin }
    return [await runCli(argv, terminal), server.requests.length]
  }
  expect([await typed('n\n'), await typed(''), await typed('y\n')]).toEqual([
    [0, 0],
    [0, 0],
    [0, 44],
  ])
  const mine = argv.with(1, join(out, 'queries.jsonl'))
  expect(await runToEnd(mine)).toMatchObject({
    status: 2,
    errors: expect.stringContaining('this command reads'),
  })
  const elsewhere = await runToEnd(argv.with(5, (await temporaryFolder()).concat('/new')))
  expect(elsewhere.status).toBe(2)
  const taken = await temporaryFolder()
  await writeFile(join(taken, 'qrels.tsv'), 'q 0 d 1\n')
  const refused = await runToEnd([...argv.with(5, taken), '--yes'])
  expect([refused.status, refused.errors]).toEqual([1, expect.stringContaining('qrels.tsv exists')])
})
