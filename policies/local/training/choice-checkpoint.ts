/** The checkpoint of the training of a choice: plain JSON. A resumed run produces the same bytes. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { QuerentError } from '../../../src/errors.ts'
import type { AdamState } from '../../../src/learn/adam.ts'
import type { RandomState } from '../../../src/learn/random.ts'
import type { Curriculum, CurriculumEntry } from '../../../src/training/curriculum.ts'

/** The result of an epoch. */
export interface ChoiceEpoch {
  readonly stage: 1 | 2
  /** From 1 in each stage. */
  readonly epoch: number
  /** Mean over the epoch's rollouts, with the stage's reward. */
  readonly meanReward: number
  /** The share of the epoch's queries whose rollouts all earned the same. They teach nothing. */
  readonly zeroVariance: number
  /** Mean entropy of the policy over all queries after the epoch, in nats. */
  readonly entropy: number
  /** Mean expected size under the policy after the epoch, over all queries with a `size`. */
  readonly expectedSize?: number
}

export interface ChoiceCheckpoint {
  readonly version: 1
  /** The options of the run. */
  readonly settings: Readonly<Record<string, unknown>>
  /** A digest of the queries and their features. */
  readonly problems: string
  readonly curriculum: Curriculum
  readonly curve: readonly ChoiceEpoch[]
  readonly random: RandomState
  readonly parameters: readonly number[]
  readonly adam: AdamState
  /** The problems of the curriculum's task, in the order of processing. */
  readonly order: readonly number[]
  /** The rewards of the rollouts of the first problems in `order`. */
  readonly rewards: readonly (readonly number[])[]
}

const numbers = z.array(z.number())
const count = z.int().nonnegative()
const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(2 ** 31 - 1)
const stage = z.union([z.literal(1), z.literal(2)])
const qids = z.array(z.string())
const measured = z.array(z.strictObject({ qid: z.string(), tau: z.number() }))

const task = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('measure'), before: stage, qids }),
  z.strictObject({ type: z.literal('train'), stage, epoch: count, qids }),
])

const entry: z.ZodType<CurriculumEntry> = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('filter'),
    before: stage,
    rule: z.enum(['retain', 'challenge-zone']),
    kept: measured,
    dropped: measured,
  }),
  z.strictObject({
    type: z.literal('epoch'),
    stage,
    epoch: count,
    meanReward: z.number(),
    groups: count,
    zeroVariance: count,
  }),
  z.strictObject({
    type: z.literal('end'),
    stage,
    epochs: count,
    reason: z.enum(['epochs', 'no-variance', 'too-certain', 'no-queries']),
  }),
])

const epoch: z.ZodType<ChoiceEpoch> = z.strictObject({
  stage,
  epoch: count,
  meanReward: z.number(),
  zeroVariance: z.number(),
  entropy: z.number(),
  expectedSize: z.number().exactOptional(),
})

export const logSchema: z.ZodType<readonly CurriculumEntry[]> = z.array(entry)
export const curveSchema: z.ZodType<readonly ChoiceEpoch[]> = z.array(epoch)

export const choiceCheckpointSchema: z.ZodType<ChoiceCheckpoint> = z.strictObject({
  version: z.literal(1),
  settings: z.record(z.string(), z.unknown()),
  problems: z.string(),
  curriculum: z.strictObject({ task: task.exactOptional(), log: logSchema }),
  curve: curveSchema,
  random: z.tuple([int32, int32, int32, int32]),
  parameters: numbers,
  adam: z.strictObject({ steps: count, first: numbers, second: numbers }),
  order: z.array(count),
  rewards: z.array(numbers),
})

/** The digest of the queries and their features: the `problems` of a checkpoint. */
export function digestOf(
  problems: readonly { readonly qid: string; readonly actions: number; readonly features: Float32Array }[],
): string {
  const hash = createHash('sha256')
  for (const { qid, actions, features } of problems)
    hash.update(JSON.stringify([qid, actions])).update(features)
  return hash.digest('hex')
}

/**
 * Rejects the checkpoint of another run: resuming from it would give neither that run's result nor this one's.
 *
 * @throws QuerentError `bad-config` naming the differences
 */
export function checkSameRun(
  checkpoint: Pick<ChoiceCheckpoint, 'settings' | 'problems'>,
  settings: Readonly<Record<string, unknown>>,
  problems: string,
): void {
  const differing = Object.keys(settings).filter(
    (name) => JSON.stringify(settings[name]) !== JSON.stringify(checkpoint.settings[name]),
  )
  if (checkpoint.problems !== problems) differing.push('the queries or their features')
  if (differing.length > 0)
    throw new QuerentError(
      'bad-config',
      `The checkpoint is of another run: it differs in ${differing.join(', ')}`,
      { remedy: 'Go on with what the run was started with, or start without the checkpoint.' },
    )
}
