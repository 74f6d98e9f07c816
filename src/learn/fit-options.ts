/** The options that all fits of a network have. */
import { checkOption } from './check-option.ts'

/** @throws QuerentError `bad-config` with the first option that is out of range */
export function checkFitOptions({
  hidden,
  epochs,
  batch,
  learningRate,
  l2,
}: {
  readonly hidden: number
  readonly epochs: number
  readonly batch: number
  readonly learningRate: number
  readonly l2: number
}): void {
  checkOption('hidden', hidden, Number.isInteger(hidden) && hidden >= 0, 'a whole number, 0 or more')
  checkOption('epochs', epochs, Number.isInteger(epochs) && epochs >= 1, 'a whole number, 1 or more')
  checkOption('batch', batch, Number.isInteger(batch) && batch >= 1, 'a whole number, 1 or more')
  checkOption('learningRate', learningRate, learningRate > 0, 'above 0')
  checkOption('l2', l2, l2 >= 0, '0 or more')
}
