/** Tests that wait until something is so, in a server that knows when it may have become so. */
export interface WaitingList {
  /** Resolves when it is so: now, or when `tell` finds it. */
  until(isSo: () => boolean): Promise<void>
  /** Something has changed. */
  tell(): void
}

export function waitingList(): WaitingList {
  let waiting: readonly { readonly isSo: () => boolean; readonly resolve: () => void }[] = []
  function tell(): void {
    const all = waiting
    waiting = all.filter(({ isSo }) => !isSo())
    for (const one of all) if (!waiting.includes(one)) one.resolve()
  }
  return {
    tell,
    until: (isSo) =>
      new Promise((resolve) => {
        waiting = [...waiting, { isSo, resolve }]
        tell()
      }),
  }
}
