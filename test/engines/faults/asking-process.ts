/** A process that searches through Querent again and again, and whose memory is its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Of a process after its rubbish was collected. */
export interface Held {
  /** Bytes of the heap, and those beside it. */
  readonly bytes: number
  readonly sockets: number
  /** Searches that ended with an answer, and with an error. */
  readonly answered: number
  readonly failed: number
}

interface AskingProcess {
  /** Searches so many times more, some at a time. */
  ask(times: number): Promise<Held>
  /** Closes what it asked with. */
  close(): Promise<Held>
  end(): Promise<void>
}

/** @param way the name of one of `ways` */
export async function startAsking(way: string, target: string): Promise<AskingProcess> {
  const script = fileURLToPath(new URL('run-asking.ts', import.meta.url))
  const child = fork(script, [way, target], { execArgv: ['--import', 'tsx'] })
  await once(child, 'message')
  async function order(times: number): Promise<Held> {
    const answered = once(child, 'message')
    child.send(times)
    const [held] = (await answered) as [Held]
    return held
  }
  return {
    ask: order,
    close: () => order(0),
    async end() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
