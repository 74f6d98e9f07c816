import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { posted } from '../../adapters/apps/http/http-server.ts'
import { completion as completionOf, startChatServer } from '../../support/chat-server.ts'
import { settled } from '../../support/manual-clock.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'
import { writeTrainingWorld } from '../../support/training-world.ts'

/** The command, running until `end`. */
async function started(...argv: readonly string[]) {
  const folder = await temporaryFolder()
  await writeTrainingWorld(folder)
  const index = join(folder, 'index')
  await runToEnd(['index', folder, '--out', index])
  await writeFile(
    join(folder, 'extra.tsv'),
    'query-id\tcorpus-id\tscore\nq0\tarlow-stadium\t1\nq1\tlost\t1\n',
  )
  const interrupt = new AbortController()
  const terminal = testTerminal({ signal: interrupt.signal })
  const chosen = argv.map((word) => word.replace('{folder}', folder))
  const ended = runCli(['reward-server', '--index', index, '--port', '0', '--json', ...chosen], terminal)
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (terminal.output() === '' && !isOver) await settled()
  const { url } = JSON.parse(terminal.output())
  const price = async (item: object) => {
    const response = await fetch(`${url}/v1/reward`, posted({ items: [item] }))
    return ((await response.json()) as { results: readonly { score: number | null; error: string | null }[] })
      .results[0]!
  }
  const end = async () => {
    interrupt.abort()
    return { status: await ended, errors: terminal.errors() }
  }
  return { url, price, end }
}

const completion = '{"query": "stadium of arlow"}'

describe('querent reward-server', () => {
  it('prices as the paper does for HotpotQA, until it is interrupted', async () => {
    const { price, end, url } = await started('--qrels', '{folder}/qrels.train.tsv')
    // η = 0.6, and Φ(1) = 2.
    expect(await price({ completion, query_id: 'q0' })).toMatchObject({ score: 1.2 })
    expect(await end()).toEqual({ status: 0, errors: '' })
    await expect(fetch(url)).rejects.toThrow()
  })

  it('prices as the paper does for TopiOCQA, with λ and δ', async () => {
    const set = ['profile=topiocqa', 'lambda=0.5', 'delta=-2'].flatMap((one) => ['--set', one])
    const { price, end, url } = await started(...set)
    // η = 1, k* = 3: Φ′(1) = Φ(1) + λ / log2(2) = 2 + 0.5.
    expect(await price({ completion, ground_truth: 'arlow-stadium' })).toMatchObject({ score: 2.5 })
    expect(await price({ completion: 'none', ground_truth: 'arlow-stadium' })).toMatchObject({ score: -2 })
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
      settings: { rewards: { eta: 1, kStar: 3, lambda: 0.5, delta: -2 }, maxSubQueries: 3 },
    })
    await end()
  })

  it('prices by what is set', async () => {
    const { price, end } = await started('--set', 'eta=1', '--set', 'maxSubQueries=1', '--depth', '5')
    // η · Φ(1) = 1 · 2
    expect(await price({ completion, ground_truth: 'arlow-stadium' })).toMatchObject({ score: 2 })
    expect(await price({ completion: '{"query": "a %% b"}', ground_truth: 'x' })).toMatchObject({
      score: -0.1,
    })
    expect((await price({ completion, query_id: 'q0' })).error).toContain('without judgments')
    await end()
  })

  it('rolls out queries of its files, with a chat model', async () => {
    const chat = await startChatServer(() => completionOf('{"query": "stadium of arlow"}'))
    onTestFinished(() => chat.close())
    const files = ['--qrels', '{folder}/qrels.train.tsv', '--queries', '{folder}/queries.jsonl']
    const { url, end } = await started(...files, '--chat-url', chat.url, '--set', 'agentsModel=trained')
    const roll = async (more: object) => {
      const asked = { policy: 'acqo', settings: { samples: 1 }, items: [{ query_id: 'q0' }], ...more }
      const response = await fetch(`${url}/v1/rollouts`, posted(asked))
      return ((await response.json()) as { results: readonly unknown[] }).results
    }
    // η · Φ(1) = 0.6 · 2, as of other paths.
    expect(await roll({})).toMatchObject([{ error: null, leaves: 1, rows: [{ query_id: 'q0', value: 1.2 }] }])
    await roll({ model: 'step-7' })
    expect(chat.requests.map(({ body }) => body.model)).toEqual(['trained', 'step-7'])
    await end()
  })

  it('says what cannot be found', async () => {
    const { end } = await started('--qrels', '{folder}/extra.tsv')
    expect((await end()).errors).toContain('1 of 2 ')
  })

  it('warns if other machines can reach it', async () => {
    const { end } = await started('--host', '0.0.0.0')
    expect((await end()).errors).toContain('anyone')
  })

  it.each([
    [[], '--index is missing'],
    [['--index', 'i', '--set', 'stage=3'], '--set stage must be 1 or 2'],
    [['--index', 'i', '--port', '70000'], '--port must be 65535 or less'],
    [['--index', 'i', '--delta', '-0.1'], '--delta is a setting'],
    [['--index', 'i', '--set', 'eta=1.5'], '--set eta must be 1 or less'],
  ])('exits 2 for %j', async (argv, hint) => {
    const { status, errors } = await runToEnd(['reward-server', ...argv])
    expect([status, errors]).toEqual([2, expect.stringContaining(hint)])
  })
})
