/** verifiers' agents search an index at the URL of `querent mcp --http`. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { verifiersPython } from '../../scripts/install-system.mjs'
import { playedBy } from '../support/python.ts'
import { rewardServerWorld } from '../support/reward-server-world.ts'
import { startedMcp } from '../support/started-mcp.ts'

const program = fileURLToPath(new URL('verifiers/search_by_mcp.py', import.meta.url))

it.skipIf(!existsSync(verifiersPython))(
  "verifiers' agents search by an MCP URL (needs it: npm run verify installs it)",
  async () => {
    const { index } = await rewardServerWorld()
    const { url } = await startedMcp(['--index', index, '--policy', 'none'])
    const { tools, found, strict, wrong } = await playedBy(verifiersPython, [program], {
      QUERENT_MCP_URL: url.href,
    })
    expect(tools).toContain('querent_search')
    expect(found).toContain('arlow-stadium')
    expect(strict).not.toContain('arlow-stadium')
    expect(wrong).toContain('query')
  },
)
