/** Studies have one value an example; what was measured on some of the examples is brought to their places. */
import type { Column, SystemRecord } from './record.ts'

/**
 * A record of some examples as one of all.
 *
 * @param examples the place of each of its values among all examples
 * @param known what was measured of the same system on others, where something was; it is kept
 * @param size how many examples there are
 */
export function spreadRecord(
  record: SystemRecord,
  examples: readonly number[],
  known: SystemRecord | undefined,
  size: number,
): SystemRecord {
  const column = (of: Column, onto: Column | undefined): Column => {
    const whole = onto === undefined ? new Array<number | null>(size).fill(null) : [...onto]
    examples.forEach((example, row) => {
      whole[example] = of[row]!
    })
    return whole
  }
  const columns = (of: SystemRecord['alone'], onto: SystemRecord['alone'] | undefined) =>
    Object.fromEntries(Object.entries(of).map(([name, values]) => [name, column(values, onto?.[name])]))
  return {
    alone: columns(record.alone, known?.alone),
    reranked: columns(record.reranked, known?.reranked),
    subQueries: column(record.subQueries, known?.subQueries),
    secondStage: column(record.secondStage, known?.secondStage),
    requestTwo: column(record.requestTwo, known?.requestTwo),
  }
}
