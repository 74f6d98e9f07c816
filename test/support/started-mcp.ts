import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { ended, spawnCli } from './spawn-cli.ts'

/** `querent mcp` on a free port, and its address. */
export async function startedMcp(argv: readonly string[]) {
  const child = spawnCli(['mcp', '--http', '--port', '0', ...argv])
  const end = ended(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Listening on (\S+)\. /.exec(line)?.[1]
    if (url !== undefined) return { url: new URL(url), child, end }
  }
  throw new Error('it ended before it listened')
}
