export interface RunOptions {
  /** Whether a rough figure will do. Default: false. */
  readonly quick?: boolean
}

/** What a benchmark gives: `run` of every `bench/*.bench.ts` returns one. */
export interface BenchResult {
  readonly name: string
  /** A table: the same columns in every row, units in their names. */
  readonly rows: readonly Record<string, string | number>[]
  /** What one must know to read the table. */
  readonly notes: readonly string[]
}
