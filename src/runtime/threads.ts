/**
 * Worker threads for work that would block the event loop. Each thread has a queue. Tasks with the same key run in the same
 * thread, so the thread can cache data. Threads start with the first task and never keep an idle process alive.
 */
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { QuerentError, toError } from '../errors.ts'
import { systemClock as clock } from './clock.ts'

export interface Threads {
  /**
   * @param key tasks with the same key run in the same thread, one after the other
   * @throws the task's error, as a plain Error; QuerentError `unavailable` if the thread ended; QuerentError `deadline` if
   * the thread did not answer within `timeout`: then the thread is terminated, and all tasks in its queue reject
   */
  run(task: unknown, key: object): Promise<unknown>
  /** Terminates the threads. Unfinished tasks reject. */
  close(): Promise<void>
}

export interface ThreadsOptions {
  readonly count: number
  /** Passed to every thread when it starts: the argument of `prepare` in `serveTasks`. */
  readonly data: unknown
  /** Timeout of one task in milliseconds, once its thread has started. Default: 5000. */
  readonly timeout?: number
}

/**
 * All cores but one, which is left to the event loop; at least 1. Returns 0 when running from the TypeScript sources, as
 * most tests do, because a thread must start from JavaScript.
 */
export const defaultThreads = (): number =>
  import.meta.url.endsWith('.ts') ? 0 : Math.max(1, availableParallelism() - 1)

/** @param file a JavaScript module that calls `serveTasks` */
export function openThreads(file: URL, { count, data, timeout = 5000 }: ThreadsOptions): Threads {
  const threads = Array.from({ length: count }, () => createThread(file, data, timeout))
  const threadOf = new WeakMap<object, Thread>()
  return {
    run(task, key) {
      const thread = threadOf.get(key) ?? threads.reduce((a, b) => (b.pending < a.pending ? b : a))
      threadOf.set(key, thread)
      return thread.run(task)
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}

interface Thread {
  /** Number of unanswered tasks. */
  readonly pending: number
  run(task: unknown): Promise<unknown>
  terminate(): Promise<void>
}

interface PendingTask {
  resolve(value: unknown): void
  reject(error: Error): void
}

type Message =
  | 'ready'
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: Error }

/** Timeout of a thread's start, in milliseconds. */
const startTimeout = 60_000
/** A thread that fails this many times in a row, without an answer in between, stays stopped for `restMs` milliseconds. */
const maxFailures = 3
const restMs = 60_000

function createThread(file: URL, data: unknown, timeout: number): Thread {
  const pending = new Map<number, PendingTask>()
  let worker: Worker | undefined
  let isReady = false
  let nextId = 0
  let failures = 0
  let restUntil = 0
  let isClosed = false
  let cancelTimer = (): void => {}

  function start(): Worker {
    const started = new Worker(file, { workerData: data })
    started.unref()
    isReady = false
    started.on('message', (message: Message) => {
      if (started === worker) onMessage(message)
    })
    started.on('error', (cause) => onEnd(started, threadEnded(cause)))
    started.on('exit', () => onEnd(started, threadEnded()))
    return started
  }

  function onMessage(message: Message): void {
    if (message === 'ready') isReady = true
    else {
      failures = 0
      const task = pending.get(message.id)
      pending.delete(message.id)
      if ('error' in message) task?.reject(message.error)
      else task?.resolve(message.value)
    }
    setTimer()
  }

  /** A thread with tasks keeps the process alive and has a timeout. An idle thread has neither effect. */
  function setTimer(): void {
    cancelTimer()
    if (pending.size === 0) {
      worker?.unref()
      return
    }
    const [running, ms] = [worker!, isReady ? timeout : startTimeout]
    running.ref()
    cancelTimer = clock.after(ms, () => {
      onEnd(running, new QuerentError('deadline', `A thread did not answer for ${ms} ms`))
      void running.terminate()
    })
  }

  /** Rejects all pending tasks. The next task starts a new thread. */
  function onEnd(which: Worker, error: QuerentError): void {
    if (which !== worker) return
    worker = undefined
    cancelTimer()
    failures++
    if (failures >= maxFailures) restUntil = clock.now() + restMs
    for (const { reject } of pending.values()) reject(error)
    pending.clear()
  }

  return {
    get pending() {
      return pending.size
    },
    run: (task) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw new QuerentError('unavailable', 'The threads are closed')
        if (worker === undefined && clock.now() < restUntil)
          throw new QuerentError('unavailable', `A thread ended ${failures} times without an answer`, {
            retryAfter: restUntil - clock.now(),
          })
        worker ??= start()
        const id = nextId++
        worker.postMessage({ id, task })
        pending.set(id, { resolve, reject })
        if (pending.size === 1) setTimer()
      }),
    async terminate() {
      isClosed = true
      await worker?.terminate()
    },
  }
}

const threadEnded = (cause?: unknown): QuerentError =>
  new QuerentError('unavailable', 'A thread ended', {
    remedy: 'The next search starts a new one. See the cause, if there is one.',
    cause,
  })

/** Runs inside a thread: answers the tasks that `Threads.run` sends. */
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
