/** Something that may have to be closed. */
interface Closing {
  readonly close?: (() => Promise<void>) | undefined
}

/**
 * Closes all at once, and ends when all have ended, even if some fail.
 *
 * @throws the error of the first of them, in the given order, that could not be closed
 */
export async function closeAll(all: readonly (Closing | undefined)[]): Promise<void> {
  const closed = await Promise.allSettled(all.map(async (one) => one?.close?.()))
  const failed = closed.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
