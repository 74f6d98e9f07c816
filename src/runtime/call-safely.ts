/** Whoever watches a search cannot end it: what a watcher throws, or rejects with, is dropped. */
export function tell<T>(watcher: (what: T) => void, what: T): void {
  new Promise<void>((resolve) => resolve(watcher(what))).catch(() => {})
}
