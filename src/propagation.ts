/** How a trace goes on through a proxy: from the caller's headers to those of the requests that follow from it. */
export interface Propagation {
  /** Calls `run` in the context of the caller's headers, whose names are in lower case. Returns what `run` returns. */
  receive<Result>(headers: Readonly<Record<string, string | string[] | undefined>>, run: () => Result): Result
  /** The headers of the active context, such as `traceparent`. They replace the caller's of the same name. */
  send(): Readonly<Record<string, string>>
}
