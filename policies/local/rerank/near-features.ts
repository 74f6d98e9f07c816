/** The features of a document that says what the question asks in words of like meaning. */
import { checkRow } from './check-row.ts'
import type { Nearness, SaidIn } from './nearness.ts'
import type { Question } from './question.ts'

export const nearFeatures = [
  'near: query in document',
  'near: query in title',
  'near: best sentence',
  'near: first sentence',
] as const

/** Writes the features of a document into `row`, from `at` on. */
export function writeNearFeatures(
  row: Float32Array,
  at: number,
  { anywhere, title, sentences }: SaidIn,
  { total }: Question,
  { weigh }: Nearness,
): void {
  const values = [
    weigh(anywhere) / total,
    weigh(title) / total,
    sentences.reduce((best, sentence) => Math.max(best, weigh(sentence)), 0) / total,
    sentences.length === 0 ? 0 : weigh(sentences[0]!) / total,
  ]
  checkRow('nearFeatures', nearFeatures, values.length)
  row.set(values, at)
}
