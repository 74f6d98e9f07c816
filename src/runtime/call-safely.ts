/** Calls an observer's callback. What it throws, or rejects with, is ignored: an observer cannot end a search. */
export function callSafely<T>(callback: (value: T) => void, value: T): void {
  new Promise<void>((resolve) => resolve(callback(value))).catch(() => {})
}
