import type { BenchResult } from './result.ts'

/** Prints a result for people. */
export function print({ name, rows, notes }: BenchResult): void {
  const columns = Object.keys(rows[0] ?? {})
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column])))]
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)))
  const numeric = columns.map((column) => typeof rows[0]![column] === 'number')
  const aligned = (line: readonly string[]): string =>
    line
      .map((cell, column) =>
        numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd()
  console.log([`\n${name}`, ...cells.map(aligned), ...notes.map((note) => `- ${note}`)].join('\n'))
}

/** Runs and prints a benchmark when its file was started by itself: `npx tsx bench/<name>.bench.ts`. */
export async function printWhenMain(file: string, run: () => Promise<BenchResult>): Promise<void> {
  if (process.send === undefined && process.argv[1] === file) print(await run())
}
