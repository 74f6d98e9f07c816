/**
 * Returns a function that takes numbered values (from 0, each number once, in any order) and passes them to `handle` one at
 * a time, in the order of their numbers. Each call's promise fulfills when `handle` has finished with every value that is
 * ready. It rejects if `handle` fails. No value is handled after a failure.
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
