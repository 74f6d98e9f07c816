/**
 * Checks that a row has as many values as names. The two lists are kept in step by hand, and a missing value would shift all that
 * follow.
 *
 * @param list name of the list of names, for the message
 * @param written the number of values
 * @throws Error if the numbers differ
 */
export function checkRow(list: string, names: readonly string[], written: number): void {
  if (written !== names.length)
    throw new Error(`${list} has ${names.length} names, and ${written} values were written`)
}
