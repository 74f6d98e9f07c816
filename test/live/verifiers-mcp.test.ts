/** verifiers' agents search an index at the URL of `querent mcp --http`. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifiersPython } from '../../scripts/install-system.mjs'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { ended } from '../support/spawn-cli.ts'

const program = fileURLToPath(new URL('verifiers/search_by_mcp.py', import.meta.url))

it.skipIf(!existsSync(verifiersPython))(
  "verifiers' agents search by an MCP URL (needs it: npm run verify installs it)",
  async () => {
    const { serveMcp } = await rewardServerWorld()
    const url = await serveMcp('--policy', 'none')
    const played = await ended(
      spawn(verifiersPython, ['-B', program], { env: { ...process.env, QUERENT_MCP_URL: url } }),
    )
    expect(played.status, played.errors.slice(-4000)).toBe(0)
    const { tools, found, strict, wrong } = JSON.parse(played.output.trimEnd().split('\n').at(-1)!)
    expect(tools).toContain('querent_search')
    expect(found).toContain('arlow-stadium')
    expect(strict).not.toContain('arlow-stadium')
    expect(wrong).toContain('query')
  },
)
