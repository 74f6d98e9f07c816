/** A client and each of its children ask as somebody of their own: what is remembered for one is for no other. */

/** A number that was not given before. */
export type CallerIds = () => number

export function createCallerIds(): CallerIds {
  let given = 0
  return () => given++
}
