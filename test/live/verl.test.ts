/** The search tool for verl's agents fits the base class of verl's wheel, and searches a running server. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyPython, wheelsOf } from '../../scripts/install-system.mjs'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { ended } from '../support/spawn-cli.ts'

const shims = fileURLToPath(new URL('../../examples/integrations/python', import.meta.url))
const program = fileURLToPath(new URL('verl/call_search_tool.py', import.meta.url))
const [wheel] = wheelsOf('verl')

it.skipIf(wheel === undefined)(
  "verl's agents search (needs its wheel: npm run verify fetches it)",
  async () => {
    const { serve } = await rewardServerWorld()
    const env = { ...process.env, QUERENT_URL: await serve() }
    const played = await ended(spawn(verifyPython, ['-B', program, shims, wheel!], { env }))
    expect(played.status, played.errors.slice(-4000)).toBe(0)
    const found = JSON.parse(played.output.trimEnd().split('\n').at(-1)!)
    expect(found).toEqual({
      abstract: ['calc_reward', 'create', 'execute', 'release'],
      name: 'search',
      schema: ['query'],
      found: expect.stringMatching(/^\[arlow-stadium\]/),
      reward: 0,
      metrics: { documents: 1 },
      two: 2,
      wrong: expect.stringContaining('query'),
      dead: expect.stringContaining('no reward'),
    })
  },
)
