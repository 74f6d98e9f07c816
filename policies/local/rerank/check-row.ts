/**
 * Values of a row and their names are two lists that are kept in step by hand: a value too few would shift all that follow.
 *
 * @param list of names, as the error calls it
 * @param written how many values there are
 * @throws Error where there are more or fewer values than names
 */
export function checkRow(list: string, names: readonly string[], written: number): void {
  if (written !== names.length)
    throw new Error(`${list} has ${names.length} names, and ${written} values were written`)
}
