/**
 * The trained models of re-ranking: small networks for its three steps, and one for confidence.
 */
import { z } from 'zod'
import { QuerentError } from '../../../src/errors.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { scorerSchema } from '../../../src/learn/scorer-schema.ts'
import { confidenceInputs } from './confidence.ts'
import { firstInputs, secondInputs } from './features.ts'
import { pairInputs } from './group-features.ts'

/** The scorers of each step; the mean of their scores counts. Plain JSON. */
export interface RerankSection {
  /** Scores documents by themselves. The most probably relevant ones are the seeds of the second step. */
  readonly first: readonly Scorer[]
  /** Scores documents by themselves and by the paths from seeds to them, by `secondInputs`. */
  readonly second: readonly Scorer[]
  /**
   * Scores single documents and pairs of the first few, to find documents that are relevant together. If empty, the second step's
   * order stays.
   */
  readonly pair: readonly Scorer[]
  /** The log odds that a document is relevant, by `confidenceInputs`. If absent, hits have no confidence. */
  readonly confidence?: Scorer
}

const maxScorers = 3
const scorers = z.array(scorerSchema).max(maxScorers)

export const rerankSectionSchema: z.ZodType<RerankSection> = z.strictObject({
  first: scorers.min(1),
  second: scorers.min(1),
  pair: scorers,
  confidence: scorerSchema.exactOptional(),
})

/** @throws QuerentError `bad-config` if a scorer was trained on other features than this version makes */
export function checkSection(section: RerankSection): void {
  for (const [step, inputs] of Object.entries(inputsOf))
    for (const [index, scorer] of section[step as keyof typeof inputsOf].entries())
      checkInputs(`rerank.${step}[${index}]`, scorer, inputs)
  if (section.confidence !== undefined) checkInputs('rerank.confidence', section.confidence, confidenceInputs)
}

const inputsOf = { first: firstInputs, second: secondInputs, pair: pairInputs }

/** @throws QuerentError `bad-config` naming the first feature that differs */
export function checkInputs(place: string, { inputs }: Scorer, expected: readonly string[]): void {
  const count = Math.max(inputs.length, expected.length)
  for (let index = 0; index < count; index++) {
    const [given, wanted] = [inputs[index], expected[index]]
    if (given === wanted) continue
    throw new QuerentError(
      'bad-config',
      `${place}: input ${index + 1} is ${quoted(given)}, and this version gives it ${quoted(wanted)}`,
      { remedy: 'It was made for other features: train again with this version.' },
    )
  }
}

const quoted = (name: string | undefined): string => (name === undefined ? 'missing' : `"${name}"`)
