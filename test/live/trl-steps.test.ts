/** TRL's GRPOTrainer learns which way a question needs from the rows of rollouts, and with the rewards of the ways exchanged it learns those. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trlPython } from '../../scripts/install-system.mjs'
import { startChatServer } from '../support/chat-server.ts'
import { routingAgents, writeRoutingWorld } from '../support/routing-world.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { ended } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/tier.ts'

const program = fileURLToPath(new URL('trl/train_steps.py', import.meta.url))

/** The rows of an agent that chooses a way, over the questions of the world. */
async function rowsOf(agent: string, ...options: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  await writeRoutingWorld(folder)
  const work = await temporaryFolder()
  const server = await startChatServer(routingAgents())
  onTestFinished(() => server.close())
  const [index, rollouts, steps] = ['index', 'rollouts.jsonl', 'steps.jsonl'].map((name) => join(work, name))
  const policy = agent.split('/')[0]!
  const commands = [
    ['index', folder, '--out', index!],
    [
      'rollouts',
      folder,
      '--policy',
      policy,
      '--index',
      index!,
      '--out',
      rollouts!,
      '--chat-url',
      server.url,
      ...options,
    ],
    ['export', '--rollouts', rollouts!, '--to', 'steps', '--set', `agents=${agent}`, '--out', steps!],
  ]
  for (const command of commands) {
    const { status, errors } = await runToEnd(command)
    expect(status, errors).toBe(0)
  }
  return steps!
}

interface Run {
  /** The mean reward of each generation, by the rows as they are. */
  readonly means: readonly number[]
  readonly ways: readonly string[]
  /** The mean reward of the best way of each question. */
  readonly best: number
}

async function train(data: string, seed: number, exchange: boolean): Promise<Run> {
  const settings = JSON.stringify({ data, seed, exchange, steps: 120 })
  const run = await ended(
    spawn(trlPython, [program, settings], { env: { ...process.env, OMP_NUM_THREADS: '1' } }),
  )
  expect(run.status, run.errors.slice(-4000)).toBe(0)
  return JSON.parse(run.output.trimEnd().split('\n').at(-1)!) as Run
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const ends = ({ means }: Run): readonly [first: number, last: number] => [
  mean(means.slice(0, 6)),
  mean(means.slice(-6)),
]
const seeds = isFull ? [1, 2, 3] : [1]

describe.skipIf(!existsSync(trlPython))('steps of rollouts (needs TRL: npm run verify installs it)', () => {
  it.each([
    // A plan is always right. No knowledge without documents, and one search for half of the questions.
    {
      agent: 'c3po/router',
      ways: ['[No_Retrieval]', '[Planning]', '[Retrieval]'],
      options: ['--set', 'maxRounds=1'],
    },
    // Costs make the cheapest workflow that answers the best one, which is not the same for all questions.
    { agent: 'mao/plan', ways: ['AG', 'QDS', 'RA,_AG', 'RA,_DS,_AG'], options: ['--set', 'alpha=0.3'] },
  ])('of $agent', async ({ agent, ways, options }) => {
    const data = await rowsOf(agent, ...options)
    expect((await readFile(data, 'utf8')).split('\n').length).toBeGreaterThan(24 * 3)
    for (const seed of seeds) {
      const [learned, control] = await Promise.all([train(data, seed, false), train(data, seed, true)])
      expect(learned.ways).toEqual(ways)
      const [first, last] = ends(learned)
      const [firstExchanged, lastExchanged] = ends(control)
      process.stderr.write(
        `${agent}, seed ${seed}: mean reward ${first.toFixed(2)} → ${last.toFixed(2)} of ${learned.best.toFixed(2)}; exchanged ${firstExchanged.toFixed(2)} → ${lastExchanged.toFixed(2)}\n`,
      )
      expect(last - first).toBeGreaterThan(0.5 * (learned.best - first))
      expect(lastExchanged).toBeLessThan(firstExchanged)
    }
  })
})
