/** Processes large requests in small steps, so that the event loop serves other requests and aborted requests stop early. */
import { setImmediate } from 'node:timers/promises'

/** Number of items processed before yielding. */
const itemsPerTurn = 64

/** Maps items one after the other. @throws the signal's reason */
export async function mapYielding<Item, Result>(
  items: readonly Item[],
  transform: (item: Item, place: number) => Result | Promise<Result>,
  signal: AbortSignal,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [place, item] of items.entries()) {
    if (place % itemsPerTurn === itemsPerTurn - 1) await setImmediate()
    signal.throwIfAborted()
    results.push(await transform(item, place))
  }
  return results
}
