/** What a primary process and its workers tell each other. */

/** The metrics of one process, as prom-client writes them in JSON. */
export type Metrics = readonly { readonly type: unknown }[]

export type FromWorker =
  /** Everything is open, and the worker waits until it may listen. */
  | { readonly type: 'opened' }
  /** The worker listens. `lines` are for people. */
  | { readonly type: 'listening'; readonly lines: readonly string[] }
  /** Somebody asked this worker for the metrics of all. */
  | { readonly type: 'asked'; readonly id: number }
  | { readonly type: 'measured'; readonly id: number; readonly metrics: Metrics }

export type ToWorker =
  | { readonly type: 'listen' }
  | { readonly type: 'reopen' }
  | { readonly type: 'stop' }
  /** Asks for the metrics of this worker. */
  | { readonly type: 'measure'; readonly id: number }
  /** The metrics of all workers, for the one that asked. */
  | { readonly type: 'metrics'; readonly id: number; readonly text: string }
