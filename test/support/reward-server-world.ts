/** `querent reward-server` and `querent mcp --http` over the training world, for programs of other languages. */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { ended, runCommand, spawnCli } from './spawn-cli.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { writeTrainingWorld } from './training-world.ts'

export interface RewardServerWorld {
  /** The world as a BEIR folder. */
  readonly folder: string
  readonly index: string
  /** Starts a server of rewards, which ends with the test. @returns its URL */
  serve(...argv: readonly string[]): Promise<string>
  /** Starts a server of tools, which ends with the test. @returns its URL */
  serveMcp(...argv: readonly string[]): Promise<string>
}

export async function rewardServerWorld(): Promise<RewardServerWorld> {
  const folder = await temporaryFolder()
  await writeTrainingWorld(folder)
  const index = join(folder, 'index')
  const { status, errors } = await runCommand(['index', folder, '--out', index])
  expect(status, errors).toBe(0)
  const serving = (command: string, ...flags: readonly string[]) => {
    return async (...argv: readonly string[]): Promise<string> => {
      const server = spawnCli([command, '--index', index, ...flags, '--port', '0', ...argv])
      const end = ended(server)
      onTestFinished(async () => {
        server.kill('SIGTERM')
        expect((await end).status).toBe(0)
      })
      for await (const line of createInterface({ input: server.stderr })) {
        const [, url] = /^Listening on (http:\/\/[\d.]+:\d+(\/mcp)?)/.exec(line) ?? []
        if (url !== undefined) return url
      }
      throw new Error((await end).errors)
    }
  }
  return { folder, index, serve: serving('reward-server'), serveMcp: serving('mcp', '--http') }
}
