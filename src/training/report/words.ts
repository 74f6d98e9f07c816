/** What comes out of a test in words, and numbers as the training report writes them. */
import type { Verdict } from '../../evaluation/comparison.ts'
import { decimal, pEquals, signed } from '../../evaluation/report/words.ts'
import type { Difference } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import type { Judged } from './table.ts'

/** How a measure is called. */
export const measureTitles: Readonly<Record<MeasureName, string>> = {
  reward: 'Stage II reward',
  'recall@2': 'recall@2',
  'recall@5': 'recall@5',
  'ndcg@10': 'nDCG@10',
  'mrr@3': 'MRR@3',
}

export const verdictWords: Readonly<Record<Verdict, string>> = {
  better: '▲ better',
  worse: '▼ worse',
  unclear: 'no difference shown',
}

/** Rewards as they are, metrics in percent. */
export function value(measure: MeasureName, mean: number): string {
  return measure === 'reward' ? decimal(mean) : (100 * mean).toFixed(1)
}

export function signedValue(measure: MeasureName, difference: number): string {
  if (measure === 'reward') return signed(difference)
  const text = Math.abs(100 * difference).toFixed(1)
  return `${text === '0.0' ? '' : difference < 0 ? '−' : '+'}${text}`
}

/** `+0.045 (+0.020 to +0.075), p = 0.03: ▲ better` */
export function differenceCell(measure: MeasureName, difference: Difference | undefined): Judged | string {
  if (difference === undefined) return ''
  const { mean, low, high, pHolm, verdict } = difference
  const [middle, from, to] = [mean, low, high].map((one) => signedValue(measure, one))
  return { text: `${middle} (${from} to ${to}), ${pEquals(pHolm)}: ${verdictWords[verdict]}`, verdict }
}
