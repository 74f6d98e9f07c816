/** Features by name: each name stands beside the function that reads its value off what was seen. */
export interface FeatureTable<Seen> {
  readonly names: readonly string[]
  /** Writes the values into `row`, from `at` on. Returns the place after them. */
  write(row: Float32Array, at: number, seen: Seen): number
}

export function featureTable<Seen>(
  table: Readonly<Record<string, (seen: Seen) => number | boolean>>,
): FeatureTable<Seen> {
  const values = Object.values(table)
  return {
    names: Object.keys(table),
    write(row, at, seen) {
      let next = at
      for (const value of values) row[next++] = Number(value(seen))
      return next
    },
  }
}

/** @throws Error if a row that is written by hand has another number of values than names, which would shift all that follow */
export function checkRow(list: string, names: readonly string[], written: number): void {
  if (written !== names.length)
    throw new Error(`${list} has ${names.length} names, and ${written} values were written`)
}
