/** Calls an observer's callback. Errors and rejections are ignored, so an observer cannot end a search. */
export function callSafely<T>(callback: (value: T) => void, value: T): void {
  new Promise<void>((resolve) => resolve(callback(value))).catch(() => {})
}
