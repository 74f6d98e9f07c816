import { isInProcess } from './process.ts'
import type { BenchResult, RunOptions } from './result.ts'

/** Prints a result for people. */
export function print({ name, rows, notes }: BenchResult): void {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))]
  const widths = columns.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)))
  const isNumber = columns.map((column) => typeof rows[0]![column] === 'number')
  const aligned = (cell: string, column: number): string =>
    isNumber[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
  const table = lines.map((cells) => cells.map(aligned).join('  ').trimEnd())
  console.log(['', name, ...table, ...notes.map((note) => `- ${note}`)].join('\n'))
}

/** Runs and prints a benchmark when its file was started by itself: `npx tsx bench/<name>.bench.ts [--quick]`. */
export async function printWhenMain(
  file: string,
  run: (options: RunOptions) => Promise<BenchResult>,
): Promise<void> {
  if (process.argv[1] !== file || isInProcess(file)) return
  print(await run({ quick: process.argv.includes('--quick') }))
}
