/** A trained policy as one JSON document: its decision, its re-ranking, and the origin of its training data. */
import { z } from 'zod'
import { issuesOf } from '../../../src/config.ts'
import { QuerentError } from '../../../src/errors.ts'
import { scorerSchema } from '../../../src/learn/scorer-schema.ts'
import { type TermWeights, termWeightsSchema } from '../../../src/text/term-weights.ts'
import { bridgeFeatures } from '../decision/bridge-features.ts'
import type { DecisionSection } from '../decision/decision.ts'
import { gainInputs, gainNetworks } from '../decision/gain.ts'
import { firstInputs } from '../rerank/features.ts'
import {
  checkInputs,
  checkSection,
  type RerankSection,
  rerankSectionSchema,
} from '../rerank/rerank-section.ts'
import { readContent, remedy } from './policy-digest.ts'

/** Increases when policies of older versions of Querent become unusable. */
export const policyVersion = 3 as const

/** The origin of a policy's training examples. */
export interface TrainedOn {
  readonly collection: string
  readonly queries: number
  readonly retrievers: readonly string[]
  /** SHA-256 of the queries and judgments, and of the corpus. */
  readonly judgements: string
  readonly corpus: string
}

export interface PolicyFile {
  readonly format: 'querent-policy'
  readonly version: typeof policyVersion
  /** The weights of words, for both sections. */
  readonly terms: TermWeights
  /** If absent, the query is searched unchanged. */
  readonly decision?: DecisionSection
  /** If absent, the fused order stays. */
  readonly rerank?: RerankSection
  /** The training options. */
  readonly options: Readonly<Record<string, unknown>>
  readonly trainedOn: readonly TrainedOn[]
  /** SHA-256 of everything else; see `policyDigest`. */
  readonly digest: string
}

const digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')

const schema: z.ZodType<PolicyFile> = z.strictObject({
  format: z.literal('querent-policy'),
  version: z.literal(policyVersion),
  terms: termWeightsSchema,
  decision: z
    .strictObject({
      seeds: scorerSchema,
      bridges: scorerSchema,
      gains: z.array(scorerSchema).min(1).max(gainNetworks),
    })
    .exactOptional(),
  rerank: rerankSectionSchema.exactOptional(),
  options: z.record(z.string(), z.unknown()),
  trainedOn: z.array(
    z.strictObject({
      collection: z.string(),
      queries: z.int().nonnegative(),
      retrievers: z.array(z.string()),
      judgements: digest,
      corpus: z.string(),
    }),
  ),
  digest,
})

/** Parses a policy file, which may be compressed. @throws QuerentError `bad-policy` as `policyOf`, or if the text was cut */
export const parsePolicy = (content: Uint8Array, where: string): PolicyFile =>
  policyOf(readContent(content, where), where)

/**
 * The policy that a value is. It does not detect edits: `readPolicy` and `checkPolicy` compare the digest.
 *
 * @param where what to call the value in the message
 * @returns a copy, which later changes of the value do not reach
 * @throws QuerentError `bad-policy` if the value is not a policy, was written by another version, or was trained on other features
 *   than this version makes
 */
export function policyOf(value: unknown, where: string): PolicyFile {
  const bad = (what: string, hint: string, cause?: unknown): QuerentError =>
    new QuerentError('bad-policy', `${where}${what}`, { remedy: hint, ...(cause !== undefined && { cause }) })
  const { format, version: written } = Object(value) as Partial<Record<'format' | 'version', unknown>>
  const isPolicy = format === 'querent-policy' && typeof written === 'number'
  if (isPolicy && written > policyVersion)
    throw bad(
      ` was written by a newer Querent (version ${written})`,
      `Update Querent, or train the policy again: this one reads version ${policyVersion}.`,
    )
  if (isPolicy && written < policyVersion)
    throw bad(
      ` was written by an older Querent (version ${written})`,
      `Train it again with \`querent train\`: this Querent reads version ${policyVersion}.`,
    )
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw bad(` is not a policy: ${issuesOf(parsed.error, 3)}`, remedy)
  try {
    checkFeatures(parsed.data)
  } catch (cause) {
    const what = cause instanceof QuerentError ? cause.what : (cause as Error).message
    throw bad(
      `: ${what}`,
      'It was made for other features: train it again with this version of Querent.',
      cause,
    )
  }
  return parsed.data
}

function checkFeatures({ decision, rerank }: PolicyFile): void {
  if (decision !== undefined) {
    checkInputs('decision.seeds', decision.seeds, firstInputs)
    checkInputs('decision.bridges', decision.bridges, bridgeFeatures)
    for (const [index, scorer] of decision.gains.entries())
      checkInputs(`decision.gains[${index}]`, scorer, gainInputs)
  }
  if (rerank !== undefined) checkSection(rerank)
}
