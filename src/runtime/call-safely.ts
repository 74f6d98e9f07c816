/** Calls an observer's callback. Errors and rejections are ignored, so an observer cannot end a search. */
export function callSafely<T>(callback: (value: T) => unknown, value: T): void {
  try {
    const result = callback(value)
    // Most callbacks return nothing, and a promise for each call would cost more than they do.
    if (result !== undefined) Promise.resolve(result).catch(() => {})
  } catch {}
}
