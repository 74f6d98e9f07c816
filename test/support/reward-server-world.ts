/** `querent reward-server` over the training world, for programs of other languages. */
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
  /** Starts a server, which ends with the test. @returns its URL */
  serve(...argv: readonly string[]): Promise<string>
}

export async function rewardServerWorld(): Promise<RewardServerWorld> {
  const folder = await temporaryFolder()
  await writeTrainingWorld(folder)
  const index = join(folder, 'index')
  const { status, errors } = await runCommand(['index', folder, '--out', index])
  expect(status, errors).toBe(0)
  return {
    folder,
    index,
    async serve(...argv) {
      const server = spawnCli(['reward-server', '--index', index, '--port', '0', ...argv])
      const end = ended(server)
      onTestFinished(async () => {
        server.kill('SIGTERM')
        expect((await end).status).toBe(0)
      })
      for await (const line of createInterface({ input: server.stderr })) {
        const [, url] = /^Listening on (http:\/\/[\d.]+:\d+)/.exec(line) ?? []
        if (url !== undefined) return url
      }
      throw new Error((await end).errors)
    },
  }
}
