/** Gives each client and each of its children an id. What Querent remembers for one is never used for another. */

/** Returns a new number with each call. */
export type CallerIds = () => number

export function createCallerIds(): CallerIds {
  let next = 0
  return () => next++
}
