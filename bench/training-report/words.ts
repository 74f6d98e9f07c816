/** What comes out of a test in words, and numbers as the training report writes them. */
import type { Verdict } from '../../src/evaluation/comparison.ts'
import { decimal, signed } from '../../src/evaluation/report/words.ts'
import type { MeasureName } from '../experiments/measures.ts'

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
