/**
 * Worker threads for work that would block the event loop. Tasks with the same key run in the same thread, so the thread can cache
 * data. A thread has one task at a time. The others wait in the calling thread, where they can be withdrawn: a thread that computed
 * for searches that have ended would be late for the next ones, too. Threads start with the first task and never keep an idle
 * process alive.
 */
import { availableParallelism } from 'node:os'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { QuerentError, toError } from '../errors.ts'
import { systemClock as clock } from './clock.ts'
import { onAbort } from './deadline.ts'

export interface Threads {
  /**
   * @param key tasks with the same key run in the same thread, one after the other
   * @param signal withdraws the task while it waits. A task that has begun is finished, and `run` settles with it. Default: the task
   * is not withdrawn
   * @throws the task's error, as a plain Error; the signal's reason, if the task was withdrawn; QuerentError `overloaded` if 1,000
   * tasks wait for the thread; QuerentError `unavailable` if the thread ended; QuerentError `deadline` if the thread did not answer
   * within `timeout`: then the thread is terminated, and all tasks that wait for it reject
   */
  run(task: unknown, key: object, signal?: AbortSignal): Promise<unknown>
  /** Terminates the threads. Unfinished tasks reject. */
  close(): Promise<void>
}

export interface ThreadsOptions {
  readonly count: number
  /** Passed to every thread when it starts: the argument of `prepare` in `serveTasks`. */
  readonly data: unknown
  /** Timeout of one task in milliseconds, once its thread has started and the tasks before it have ended. Default: 5000. */
  readonly timeout?: number
}

/**
 * All cores but one, which is left to the event loop; at least 1. Returns 0 when running from the TypeScript sources, as
 * most tests do, because a thread must start from JavaScript.
 */
export const defaultThreads = (): number =>
  import.meta.url.endsWith('.ts') ? 0 : Math.max(1, availableParallelism() - 1)

/** @param file a JavaScript module that calls `serveTasks`, or its path */
export function openThreads(file: URL | string, { count, data, timeout = 5000 }: ThreadsOptions): Threads {
  const threads = Array.from({ length: count }, () => createThread(file, data, timeout))
  const threadOf = new WeakMap<object, Thread>()
  return {
    run(task, key, signal) {
      const thread = threadOf.get(key) ?? threads.reduce((a, b) => (b.pending < a.pending ? b : a))
      threadOf.set(key, thread)
      return thread.run(task, signal)
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}

interface Thread {
  /** Number of unanswered tasks. */
  readonly pending: number
  run(task: unknown, signal: AbortSignal | undefined): Promise<unknown>
  terminate(): Promise<void>
}

interface PendingTask {
  readonly task: unknown
  resolve(value: unknown): void
  reject(error: Error): void
  /** From now on, its signal does not withdraw it. */
  keep(): void
}

type Message = 'ready' | { readonly value: unknown } | { readonly error: Error }

/** How many tasks may wait for a thread. They take milliseconds, and searches seconds: what is further back would come too late. */
const maxWaiting = 1000
/** Timeout of a thread's start, in milliseconds. */
const startTimeout = 60_000
/** A thread that fails this many times in a row, without an answer in between, stays stopped for `restMs` milliseconds. */
const maxFailures = 3
const restMs = 60_000

function createThread(file: URL | string, data: unknown, timeout: number): Thread {
  /** In order. A withdrawn task leaves at once. */
  const waiting = new Set<PendingTask>()
  let current: PendingTask | undefined
  let worker: Worker | undefined
  let isReady = false
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
      if ('error' in message) current?.reject(message.error)
      else current?.resolve(message.value)
      postNext()
    }
    setTimer()
  }

  function postNext(): void {
    current = undefined
    for (const next of waiting) {
      waiting.delete(next)
      next.keep()
      try {
        worker!.postMessage(next.task)
        current = next
        return
      } catch (thrown) {
        // It cannot be cloned. The tasks behind it can.
        next.reject(toError(thrown))
      }
    }
  }

  /** A thread with a task keeps the process alive and has a timeout. An idle thread has neither effect. */
  function setTimer(): void {
    cancelTimer()
    if (current === undefined) {
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
    current?.reject(error)
    current = undefined
    for (const { keep, reject } of waiting) {
      keep()
      reject(error)
    }
    waiting.clear()
  }

  /** @throws QuerentError if there can be no further task now */
  function checkOpen(): void {
    if (isClosed) throw new QuerentError('unavailable', 'The threads are closed')
    if (worker === undefined && clock.now() < restUntil)
      throw new QuerentError('unavailable', `A thread ended ${failures} times without an answer`, {
        retryAfter: restUntil - clock.now(),
      })
    if (waiting.size >= maxWaiting)
      throw new QuerentError('overloaded', `${waiting.size} tasks wait for a thread`, {
        remedy: 'Search less at a time, or use more threads.',
      })
  }

  return {
    get pending() {
      return waiting.size + (current === undefined ? 0 : 1)
    },
    run: (task, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) throw toError(signal.reason)
        checkOpen()
        const asked: PendingTask = { task, resolve, reject, keep() {} }
        if (signal !== undefined)
          asked.keep = onAbort(signal, () => {
            waiting.delete(asked)
            reject(toError(signal.reason))
          })
        waiting.add(asked)
        if (current !== undefined) return
        worker ??= start()
        postNext()
        setTimer()
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
  parentPort!.on('message', (task: Task) => {
    try {
      parentPort!.postMessage({ value: run(task) })
    } catch (thrown) {
      parentPort!.postMessage({ error: toError(thrown) })
    }
  })
}
