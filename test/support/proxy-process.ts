/** A proxy in a process of its own, whose memory can be told from that of whoever talks to it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface ProxyProcess {
  readonly url: string
  /** The most bytes that the process has held since this was last asked: on the heap and in buffers, without garbage. */
  peak(): Promise<number>
  close(): Promise<void>
}

/** Starts it before this target, with a policy that decides, or that optimizes nothing. */
export async function startProxyProcess(target: string, policy: 'decides' | 'none'): Promise<ProxyProcess> {
  const script = fileURLToPath(new URL('run-proxy.ts', import.meta.url))
  const child = fork(script, [target, policy], { execArgv: ['--import', 'tsx'] })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async peak() {
      child.send('peak')
      const [bytes] = (await once(child, 'message')) as [number]
      return bytes
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
