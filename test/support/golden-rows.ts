/** Rows of features as a trained model reads them: what moves one of them asks for a new training. */
import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Whatever is not 0, to five digits: the last bits of a logarithm differ between versions of Node. */
const written = (row: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (value === 0 ? [] : [[name, Number(value.toFixed(5))]])),
  )

/** The rows are those of `test/fixtures/golden/<name>.json`; `UPDATE_GOLDEN=1` writes them anew. */
export function expectGoldenRows(
  name: string,
  rows: Readonly<Record<string, Readonly<Record<string, number>>>>,
): void {
  const path = `test/fixtures/golden/${name}.json`
  const found = Object.fromEntries(Object.entries(rows).map(([row, values]) => [row, written(values)]))
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path, `${JSON.stringify(found, null, 2)}\n`)
  expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')))
}
