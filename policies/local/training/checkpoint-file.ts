/** The file of an interrupted training: the models fitted so far, and the identity of the run. */
import { open, readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { issuesOf } from '../../../src/config.ts'
import { QuerentError } from '../../../src/errors.ts'
import { scorerSchema } from '../../../src/learn/scorer-schema.ts'
import { replaceFile } from '../../../src/runtime/atomic-file.ts'
import { cuesSchema } from '../cues.ts'
import { choiceCheckpointSchema, curveSchema, logSchema } from './choice-checkpoint.ts'
import type { TrainingCheckpoint } from './train-policy.ts'

/** The identity of a run: its data and options, in words or digests, by name for the message. */
export type TrainingRun = Readonly<Record<string, string>>

const count = z.int().nonnegative()
const trained = z.strictObject({ scorer: scorerSchema, log: logSchema, curve: curveSchema })
const secondStage = z.strictObject({ cues: cuesSchema, seeds: scorerSchema, bridges: scorerSchema })

const schema: z.ZodType<{ readonly run: TrainingRun; readonly checkpoint: TrainingCheckpoint }> =
  z.strictObject({
    format: z.literal('querent-training'),
    version: z.literal(1),
    run: z.record(z.string(), z.string()),
    checkpoint: z.strictObject({
      secondStage: z
        .strictObject({ all: secondStage, folds: z.array(secondStage), foldOf: z.array(count) })
        .exactOptional(),
      choice: z
        .strictObject({
          settings: z.record(z.string(), z.unknown()),
          problems: z.string(),
          finished: z.array(trained),
          choice: choiceCheckpointSchema.exactOptional(),
        })
        .exactOptional(),
      decided: trained.exactOptional(),
      gate: z.array(scorerSchema).exactOptional(),
    }),
  })

const remedy = 'Start without --resume.'

/** Writes a checkpoint in one step: if the run is killed meanwhile, the previous checkpoint remains. A link at `path` is replaced. */
export async function writeCheckpoint(
  path: string,
  run: TrainingRun,
  checkpoint: TrainingCheckpoint,
): Promise<void> {
  const text = JSON.stringify({ format: 'querent-training', version: 1, run, checkpoint })
  await replaceFile(path, [text], false)
}

/**
 * Reads the checkpoint of a run.
 *
 * @throws QuerentError `missing-file`; `bad-file` if it is not a checkpoint; `bad-config`, naming the differences, for another
 *   run's checkpoint: resuming from it would give neither that run's policy nor this one's
 */
export async function readCheckpoint(path: string, run: TrainingRun): Promise<TrainingCheckpoint> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The checkpoint ${path} cannot be read`, { remedy, cause })
  })
  const { run: before, checkpoint } = parseCheckpoint(text, path)
  const names = [...new Set([...Object.keys(run), ...Object.keys(before)])]
  const differing = names.filter((name) => run[name] !== before[name])
  if (differing.length === 0) return checkpoint
  throw new QuerentError(
    'bad-config',
    `The checkpoint ${path} is of another run: it differs in ${differing.join(', ')}`,
    { remedy: 'Go on with what that run was started with, or start without --resume.' },
  )
}

/** Whether the file begins as a checkpoint does. */
export async function isCheckpoint(path: string): Promise<boolean> {
  const start = Buffer.from('{"format":"querent-training"')
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(start.length), 0, start.length, 0)
    return buffer.equals(start)
  } finally {
    await file.close()
  }
}

export async function removeCheckpoint(path: string): Promise<void> {
  await rm(path, { force: true })
}

function parseCheckpoint(text: string, path: string): z.infer<typeof schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new QuerentError('bad-file', `${path} is not a checkpoint: it is not JSON`, { remedy, cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new QuerentError('bad-file', `${path} is not a checkpoint: ${issuesOf(parsed.error, 3)}`, { remedy })
}
