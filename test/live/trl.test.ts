/**
 * What trains language models works with what is written and served for it: `datasets` and pyarrow read the exports, the shims
 * get rewards from a running server, and TRL's GRPOTrainer learns from it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trlPython } from '../../scripts/install-system.mjs'
import { startOpenAIServer } from '../support/openai-server.ts'
import { type Ended, ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/tier.ts'
import { writeTrainingWorld } from '../support/training-world.ts'

const shims = fileURLToPath(new URL('../../examples/integrations/python', import.meta.url))
const configurations = fileURLToPath(new URL('../../examples/integrations/configs', import.meta.url))
const programs = fileURLToPath(new URL('trl', import.meta.url))

/** A world to train in, its index, and a folder for all else. */
async function world() {
  const folder = await temporaryFolder()
  await writeTrainingWorld(folder)
  const path = (name: string): string => join(folder, name)
  await querent('index', folder, '--out', path('index'))
  return { folder, path }
}

async function querent(...argv: readonly string[]): Promise<Ended> {
  const command = await runCommand(argv)
  expect(command.status, command.errors).toBe(0)
  return command
}

/** What a program prints as its last line, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests compare it with what it should be.
async function python(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<any> {
  const program = await ended(
    spawn(trlPython, argv, { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } }),
  )
  expect(program.status, program.errors.slice(-4000)).toBe(0)
  return JSON.parse(program.output.trimEnd().split('\n').at(-1)!)
}

/** A reward server as a process of its own, which has to end well with the test. */
async function rewardServer(...argv: readonly string[]) {
  const server = spawnCli(['reward-server', '--port', '0', '--json', ...argv])
  onTestFinished(async () => {
    const over = ended(server)
    server.kill('SIGTERM')
    expect((await over).status).toBe(0)
  })
  const url = await urlOf(server)
  return {
    url,
    async items(): Promise<number> {
      const text = await (await fetch(`${url}/metrics`)).text()
      return Number(/^querent_items_total\{path="\/v1\/reward"\} (\d+)$/m.exec(text)?.[1] ?? 0)
    },
  }
}

async function urlOf({ stdout }: ChildProcessWithoutNullStreams): Promise<string> {
  let printed = ''
  stdout.setEncoding('utf8')
  while (!printed.includes('}')) printed += (await once(stdout, 'data'))[0]
  return (JSON.parse(printed) as { url: string }).url
}

describe.skipIf(!existsSync(trlPython))(
  'training a language model (needs TRL: npm run verify installs it)',
  () => {
    it('every export is read by the library that its trainer reads it with', async () => {
      const { folder, path } = await world()
      // It leaves every question as it is, which is the best that can be done here, and is kept as such.
      const chat = await startOpenAIServer({
        chat: (asked) => JSON.stringify({ query: asked.trimEnd().split('\n').at(-1) }),
      })
      const recording = ['--policy', 'acqo', '--chat-url', chat.url, '--traces', path('traces.jsonl')]
      await querent('evaluate', folder, '--split', 'train', '--index', path('index'), ...recording)
      for (const name of ['verl.json', 'trl.json', 'openrlhf.json', 'slime.jsonl', 'sft.json']) {
        const to = name.slice(0, name.indexOf('.'))
        const traces = to === 'sft' ? ['--traces', path('traces.jsonl')] : []
        await querent('export', folder, '--to', to, '--out', path(name), '--index', path('index'), ...traces)
      }
      for (const name of ['verl', 'sft']) {
        const files = [path(`${name}.json`), path(`${name}.parquet`)]
        await ended(spawn(trlPython, [join(shims, 'to_parquet.py'), ...files]))
      }

      const found = await python([join(programs, 'load_exports.py'), folder])
      const [prompt, question] = [expect.any(Array), 'where is the stadium of arlow']
      const gold = ['arlow-stadium']
      expect(found.verl).toMatchObject({
        columns: ['data_source', 'prompt', 'ability', 'reward_model', 'extra_info'],
        rows: 72,
        first: {
          prompt: [{ role: 'system' }, { role: 'user' }],
          reward_model: { style: 'rule', ground_truth: gold },
          extra_info: { split: 'train', index: 0, query_id: 'q0', question },
        },
        last: {
          extra_info: { index: 71 },
          reward_model: { ground_truth: [expect.any(String), 'arlow-stadium'] },
        },
      })
      expect(found.parquet).toEqual(found.verl)
      expect(found.trl).toMatchObject({
        columns: ['prompt', 'query_id', 'gold'],
        rows: 72,
        first: { prompt, query_id: 'q0', gold },
      })
      for (const name of ['openrlhf', 'slime']) {
        expect(found[name]).toMatchObject({ columns: ['prompt', 'label'], rows: 72, first: { prompt } })
        expect(JSON.parse(found[name].first.label)).toEqual({ query_id: 'q0', gold })
      }
      expect(found.sft).toMatchObject({
        columns: ['messages'],
        rows: 72,
        first: { messages: [{}, {}, { role: 'assistant', content: JSON.stringify({ query: question }) }] },
      })
      expect(found['verl sft']).toEqual({ columns: ['messages'], rows: 72 })
    })

    it('the shims get rewards with the standard library alone, many at a time, and make none up', async () => {
      const { path } = await world()
      const { url } = await rewardServer('--index', path('index'), '--set', 'eta=1')
      const found = await python(['-S', join(programs, 'call_shims.py'), shims], { QUERENT_URL: url })
      const [right, wrong, broken] = [2, 0, -0.1]
      expect(found).toMatchObject({
        'verl concurrent': Array.from({ length: 100 }, () => [right, wrong, broken]).flat(),
        'verl keys': { score: right, acc: 1, format: 1, n_sub: 1 },
        'verl options': 1,
        'verl batch': [
          { score: right },
          { score: wrong, acc: 0, format: 1 },
          { score: broken, format: 0, n_sub: 0 },
        ],
        'verl error': expect.stringContaining('1 of 1 '),
        trl: [right, broken],
        'trl logged': {
          'querent/acc': 0.5,
          'querent/format': 0.5,
          'querent/n_sub': 0.5,
          'querent/errors': 0,
        },
        'trl error': [right, null],
        'trl all errors': expect.stringContaining('No answer'),
        openrlhf: { rewards: [right, broken], scores: [1, 0], extra_logs: { format: [1, 0] } },
        'openrlhf error': expect.stringContaining('gave no reward: 422'),
        slime: right,
        'slime list': [right, broken],
        'slime key': right,
        busy: [1, 3],
        nobody: expect.stringContaining('gave no reward'),
      })
    })

    it("TopiOCQA's rewards reach every trainer by the settings of the server", async () => {
      const { path } = await world()
      const { url } = await rewardServer('--index', path('index'), '--set', 'profile=topiocqa')
      const found = await python(['-S', join(programs, 'call_shims.py'), shims], { QUERENT_URL: url })
      // Equation 10 at rank 1: 2, and the bonus of k* = 3.
      expect(found).toMatchObject({
        'verl keys': { score: 3 },
        trl: [3, -0.1],
        openrlhf: { rewards: [3, -0.1] },
        slime: 3,
      })
    })

    it('the adapters of rollouts give completions of agents with what they are worth', async () => {
      const { folder, path } = await world()
      // Of eight answers to a question some are right, some wrong and some malformed: the reward of Stage II.
      const asked = new Map<string, number>()
      const chat = await startOpenAIServer({
        chat: (prompt) => {
          const question = prompt.trimEnd().split('\n').at(-1)!
          const times = asked.get(question) ?? 0
          asked.set(question, times + 1)
          const words = question.replace('where is the ', '')
          return [JSON.stringify({ query: words }), '{"query": "castle"}', 'no'][times % 3]!
        },
      })
      const models = ['--chat-url', chat.url, '--set', 'chatRetries=0']
      const known = ['--queries', path('queries.jsonl'), '--qrels', path('qrels.train.tsv')]
      const argv = ['--index', path('index'), '--set', 'eta=1', ...models, ...known]
      const { url } = await rewardServer(...argv)
      const env = { QUERENT_URL: url, QUERENT_POLICY: 'acqo' }

      const found = await python(['-S', join(programs, 'call_agents.py'), shims], env)
      const right = '{"query":"stadium of arlow"}'
      // Each of the three completions of a query's tree twice for six prompts. Their advantages have the mean 0.
      expect(found.trl.map(([text]: [string, number]) => text)).toEqual(
        ['no', 'no', '{"query": "castle"}', '{"query": "castle"}', right, right].toSorted(),
      )
      const advantages = new Map<string, number>(found.trl)
      expect([...advantages.values()].reduce((sum, one) => sum + one, 0)).toBeCloseTo(0, 6)
      expect(advantages.get(right)).toBeGreaterThan(advantages.get('no')!)
      expect(found['trl ends']).toEqual(Array(8).fill(0))
      expect(new Set(found['trl prompts'].slice(0, 6))).toEqual(
        new Set(['where is the stadium of arlow<assistant>']),
      )
      // At most eight tokens; "no" and its end are three.
      expect([Array(8).fill(1), Array(3).fill(1)]).toContainEqual(found.verl[1])
      expect([found.verl[0], found.verl[2]]).toEqual([40, '<assistant>'])
      // δ, Φ of a document that is not found, or the best.
      const rewards = [-0.1, 0, 2]
      expect(rewards).toContain(found.verl[3])
      expect([right, '{"query": "castle"}', 'no']).toContain(found.openrlhf[0])
      expect(rewards).toContain(found.openrlhf[1])
      expect(found.openrlhf[2]).toBe(found['openrlhf length'])
      expect(found['openrlhf short'][0]).toBeLessThanOrEqual(12)
      expect(found.error).toMatch(/"nobody"/)

      await querent('export', folder, '--to', 'trl', '--out', path('train.json'), '--index', path('index'))
      const trained = await python([join(programs, 'train_agents.py'), shims, path('train.json')], env)
      expect(trained.changed).toBe(true)
      // Two steps of eight completions.
      expect(trained.seen).toHaveLength(16)
      for (const [text, advantage, agent] of trained.seen) {
        expect(agent).toBe('acqo/rewrite')
        expect(text).toMatch(/^(no|\{"query": ?".*"\})$/)
        expect(Math.abs(advantage)).toBeLessThan(10)
      }
    })

    it('the configurations for TRL are ones that TRL takes', async () => {
      const program = `import json, sys; sys.path.insert(0, ${JSON.stringify(configurations)}); import trl_agents, trl_grpo
given, agents = [one.settings(output_dir='unused', use_cpu=True, bf16=False) for one in (trl_grpo, trl_agents)]
clips = [given.epsilon_high, given.delta]
batches = [given.generation_batch_size, given.steps_per_generation, given.gradient_accumulation_steps]
print(json.dumps([given.num_generations, clips, batches, [agents.learning_rate, agents.beta, agents.scale_rewards]]))`
      // One process here, and not eight. With as many accumulated as are generated, nothing would ever be clipped.
      expect(await python(['-c', program])).toEqual([8, [0.28, 10], [256, 32, 8], [5e-7, 0.005, 'none']])
    })

    it('TRL learns from the rewards, not from the same ones shuffled, and the server counts what TRL counts', async () => {
      const { folder, path } = await world()
      const argv = ['--to', 'trl', '--template', path('prompt.txt'), '--index', path('index')]
      await querent('export', folder, '--out', path('train.json'), ...argv)
      const judged = ['--qrels', path('qrels.train.tsv'), '--set', 'eta=1']
      const server = await rewardServer('--index', path('index'), ...judged)

      // Two at a time, of one thread each: the model is too small for more.
      const runs: Run[] = []
      const controls: Run[] = []
      for (const pair of pairsOf(learning))
        runs.push(...(await Promise.all(pair.map((seed) => train(seed, false)))))
      for (const pair of pairsOf(shuffled))
        controls.push(...(await Promise.all(pair.map((seed) => train(seed, true)))))

      function train(seed: number, shuffle: boolean): Promise<Run> {
        const settings = { data: path('train.json'), shim: shims, seed, shuffle, steps }
        return python([join(programs, 'train.py'), JSON.stringify(settings)], {
          QUERENT_URL: server.url,
          OMP_NUM_THREADS: '1',
        })
      }

      const all = [...runs, ...controls]
      const [rises, risesShuffled] = [runs.map(riseOf), controls.map(riseOf)]
      const said = [rises, risesShuffled].map((list) => list.map((rise) => rise.toFixed(2)).join(', '))
      process.stderr.write(
        `Rise of the mean reward, seeds ${learning}: ${said[0]}; shuffled, seeds ${shuffled}: ${said[1]}\n`,
      )
      // One in four may fail.
      const risen = rises.filter((rise) => rise > margin).length
      expect(risen, String(rises)).toBeGreaterThanOrEqual(Math.ceil(0.75 * learning.length))
      expect(Math.max(...risesShuffled), String(risesShuffled)).toBeLessThanOrEqual(margin)

      for (const { priced, logged, batch } of all) expect(logged.length * batch).toBe(priced)
      for (const { means, logged } of runs)
        for (const [at, reward] of logged.entries()) expect(reward).toBeCloseTo(means[at]!, 4)
      expect(await server.items()).toBe(all.reduce((sum, { priced }) => sum + priced, 0))
    })
  },
)

/** Two of the seeds that learn and one of the controls on each push, for fewer steps; the margin is the same. */
const [learning, shuffled, steps] = isFull ? [[1, 2, 3, 4], [5, 6], 600] : [[1, 2], [5], 450]

const pairsOf = (seeds: readonly number[]): readonly (readonly number[])[] =>
  seeds.flatMap((_, place) => (place % 2 === 0 ? [seeds.slice(place, place + 2)] : []))

/** What `train.py` prints. */
interface Run {
  readonly means: readonly number[]
  readonly priced: number
  readonly logged: readonly number[]
  readonly batch: number
}

/** By how much the mean reward has to rise; rewards are 2 at the most for one document, and 3.9 for two. */
const margin = 0.3

/** The mean of the last tenth less that of the first. */
function riseOf({ means }: Run): number {
  const tenth = Math.floor(means.length / 10)
  return mean(means.slice(-tenth)) - mean(means.slice(0, tenth))
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
