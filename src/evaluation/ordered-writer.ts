/**
 * A function that takes numbered values (from 0, each once, in any order) and hands them on one at a time in the order of
 * their numbers. Its promise fulfils when all that could be handed on has been; it rejects where `handle` has failed, and
 * nothing is handed on after that.
 */
export function orderedWriter<Value>(
  handle: (value: Value) => void | Promise<void>,
): (index: number, value: Value) => Promise<void> {
  const early = new Map<number, Value>()
  let next = 0
  let handled = Promise.resolve()
  return (index, value) => {
    early.set(index, value)
    handled = handled.then(async () => {
      for (; early.has(next); next++) {
        await handle(early.get(next)!)
        early.delete(next)
      }
    })
    return handled
  }
}
