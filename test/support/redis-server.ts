/** A real Redis or Valkey server on loopback, if the machine has one. `npm run verify` installs it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The command of the first server that is there. */
export async function findRedis(): Promise<string | undefined> {
  for (const name of ['valkey-server', 'redis-server'])
    if (await run(name, ['--version']).then(Boolean, () => false)) return name
  return undefined
}

export interface RedisServer {
  readonly url: string
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
}

/** Starts it without a file. */
export async function startRedis(command: string, port: number): Promise<RedisServer> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child: ChildProcess = spawn(command, options, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: child.stdout! }))
    if (/ready to accept connections/i.test(line)) break
  child.stdout!.resume()
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}
