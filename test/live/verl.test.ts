/** The search tool for verl's agents fits the base class of verl's wheel, and searches a running server. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifyPython, wheelsOf } from '../../scripts/install-system.mjs'
import { playedBy } from '../support/python.ts'
import { rewardServerWorld } from '../support/reward-server-world.ts'

const shims = fileURLToPath(new URL('../../examples/integrations/python', import.meta.url))
const program = fileURLToPath(new URL('verl/call_search_tool.py', import.meta.url))
const [wheel] = wheelsOf('verl')

it.skipIf(wheel === undefined)(
  "verl's agents search (needs its wheel: npm run verify fetches it)",
  async () => {
    const { serve } = await rewardServerWorld()
    const found = await playedBy(verifyPython, [program, shims, wheel!], { QUERENT_URL: await serve() })
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
