/**
 * Work in other threads, for what would hold up the event loop. Each thread has its own queue; work of one key stays in one
 * thread, which can keep what it has read. Threads start with the first task and never keep a process alive.
 */
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { QuerentError, toError } from '../errors.ts'
import { systemClock as clock } from './clock.ts'

export interface Threads {
  /**
   * @param key tasks with the same key run in the same thread, one after the other
   * @throws what the task threw, as a plain Error; QuerentError `unavailable` where its thread ended, `deadline` where the
   *   thread answered nothing for `timeout`: then it is ended, and with it all tasks that wait for it
   */
  run(task: unknown, key: object): Promise<unknown>
  /** Ends the threads; tasks under way reject. */
  close(): Promise<void>
}

export interface ThreadsOptions {
  readonly count: number
  /** What every thread is given when it starts; `serveTasks` passes it on. */
  readonly data: unknown
  /** Milliseconds that one task may take, once its thread has started. Default: 5,000. */
  readonly timeout?: number
}

/**
 * One core is left to the event loop; at least one thread. None where this runs from its sources, as most tests do: Node
 * starts threads from JavaScript.
 */
export const usualThreads = (): number =>
  import.meta.url.endsWith('.ts') ? 0 : Math.max(1, availableParallelism() - 1)

/** @param file the module that calls `serveTasks`, as JavaScript */
export function openThreads(file: URL, { count, data, timeout = 5000 }: ThreadsOptions): Threads {
  const threads = Array.from({ length: count }, () => createThread(file, data, timeout))
  const threadOf = new WeakMap<object, Thread>()
  return {
    run(task, key) {
      const thread = threadOf.get(key) ?? threads.reduce((a, b) => (b.waiting < a.waiting ? b : a))
      threadOf.set(key, thread)
      return thread.run(task)
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

interface Thread {
  /** How many tasks have no answer yet. */
  readonly waiting: number
  run(task: unknown): Promise<unknown>
  end(): Promise<void>
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

type Message =
  | 'ready'
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: Error }

/** Milliseconds until a thread must have started. */
const startTimeout = 60_000
/** A thread that ended so many times in a row before it answered anything is not started again for this long. */
const mostFailures = 3
const restMs = 60_000

function createThread(file: URL, data: unknown, timeout: number): Thread {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let isReady = false
  let next = 0
  let failures = 0
  let restUntil = 0
  let isClosed = false
  let stopWatching = (): void => {}

  function start(): Worker {
    const started = new Worker(file, { workerData: data })
    started.unref()
    isReady = false
    started.on('message', (message: Message) => {
      if (started === worker) heard(message)
    })
    started.on('error', (cause) => ended(started, gone(cause)))
    started.on('exit', () => ended(started, gone()))
    return started
  }

  function heard(message: Message): void {
    if (message === 'ready') isReady = true
    else {
      failures = 0
      const asked = waiting.get(message.id)
      waiting.delete(message.id)
      if ('error' in message) asked?.reject(message.error)
      else asked?.resolve(message.value)
    }
    watch()
  }

  /** Only a thread with something to do keeps the process alive, and is expected to answer. */
  function watch(): void {
    stopWatching()
    if (waiting.size === 0) {
      worker?.unref()
      return
    }
    const [running, ms] = [worker!, isReady ? timeout : startTimeout]
    running.ref()
    stopWatching = clock.after(ms, () => {
      ended(running, new QuerentError('deadline', `A thread answered nothing for ${ms} ms`))
      void running.terminate()
    })
  }

  /** Whoever waits hears of it, and the next task starts another one. */
  function ended(which: Worker, error: QuerentError): void {
    if (which !== worker) return
    worker = undefined
    stopWatching()
    failures++
    if (failures >= mostFailures) restUntil = clock.now() + restMs
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  return {
    get waiting() {
      return waiting.size
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new QuerentError('unavailable', 'The threads were closed')
        if (worker === undefined && clock.now() < restUntil)
          throw new QuerentError('unavailable', `A thread ended ${failures} times before it answered`, {
            retryAfter: restUntil - clock.now(),
          })
        worker ??= start()
        const id = next++
        worker.postMessage({ id, task })
        waiting.set(id, { resolve, reject })
        if (waiting.size === 1) watch()
      }),
    async end() {
      isClosed = true
      await worker?.terminate()
    },
  }
}

const gone = (cause?: unknown): QuerentError =>
  new QuerentError('unavailable', 'A thread ended', {
    remedy: 'The next search starts another one; see the cause, if there is one.',
    cause,
  })

/** In a thread: answers the tasks that `Threads.run` sends. */
export function serveTasks<Data, Task>(prepare: (data: Data) => (task: Task) => unknown): void {
  const run = prepare(workerData as Data)
  parentPort!.postMessage('ready')
  parentPort!.on('message', ({ id, task }: { readonly id: number; readonly task: Task }) => {
    try {
      parentPort!.postMessage({ id, value: run(task) })
    } catch (thrown) {
      parentPort!.postMessage({ id, error: toError(thrown) })
    }
  })
}
