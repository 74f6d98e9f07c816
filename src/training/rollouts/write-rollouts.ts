/** Rolls out the queries of a collection into a file, several at a time. */
import { isDeepStrictEqual } from 'node:util'
import { QuerentError } from '../../errors.ts'
import type { Answers } from '../../evaluation/answers.ts'
import { identifier, parseRecord } from '../../evaluation/json-lines.ts'
import { cut } from '../../text/cut.ts'
import type { Qrels, Query } from '../../types.ts'
import { relevantOf } from '../data/relevant-docs.ts'
import { type WorkOptions, type WorkReport, workThrough } from '../work-through.ts'
import type { Golds, RolloutPlan } from './plan.ts'
import { type RolloutRecord, recordedNodes, rolloutRecordSchema } from './record.ts'
import { type RollOutOptions, rollOut } from './roll-out.ts'

type Settings = Readonly<Record<string, unknown>>

export interface WriteRolloutsOptions
  extends Pick<WorkOptions<Query>, 'out' | 'limit' | 'concurrency' | 'onProgress'>,
    RollOutOptions {
  readonly qrels: Qrels
  readonly answers: Answers
  /** What the rollouts are made with, for each line. A file is continued only with the same: rewards of others could not be compared. */
  readonly settings: Readonly<Record<string, unknown>>
}

export interface RolloutsReport extends WorkReport {
  /** Queries without what rewards are made from. */
  readonly unknown: number
  /** Of this run: leaves, those that failed, and completions that were not run because of `maxRuns`. */
  readonly leaves: number
  readonly failedLeaves: number
  readonly dropped: number
}

/**
 * Writes the rollouts of each query that is not in the file yet.
 *
 * @throws QuerentError `bad-config` if the file has rollouts of another policy or with other settings; and as `workThrough` does
 */
export async function writeRollouts(
  queries: readonly Query[],
  plan: RolloutPlan,
  { qrels, answers, settings, out, limit, concurrency, onProgress, ...rolling }: WriteRolloutsOptions,
): Promise<RolloutsReport> {
  const policy = plan.policy.name
  const goldsOf = ({ qid = '' }: Query): Golds => ({
    docids: relevantOf(qrels.get(qid)),
    answers: answers.get(qid) ?? [],
  })
  const known = queries.filter((query) => goldsOf(query)[plan.needs].length > 0)
  const sums = { leaves: 0, failedLeaves: 0, dropped: 0 }
  const report = await workThrough(known, {
    out,
    limit,
    concurrency,
    onProgress,
    signal: rolling.signal,
    keyOf: ({ qid }) => qid!,
    keyOfLine: (line, number) => {
      const record = parseRecord(lineSchema, line, out, number)
      if (record.policy !== policy)
        throw new QuerentError('bad-config', `${out} has rollouts of the policy "${record.policy}"`, {
          remedy: 'Name another file.',
        })
      checkSameSettings(out, record.settings, settings)
      return record.qid
    },
    lineBegins: '{"version":1,"qid":"',
    async work(query, signal) {
      const tree = await rollOut(query, goldsOf(query), plan, { ...rolling, signal })
      const nodes = recordedNodes(tree, plan)
      sums.leaves += tree.runs
      sums.failedLeaves += nodes.filter(({ failed }) => failed !== undefined).length
      sums.dropped += tree.dropped
      return JSON.stringify({ version: 1, qid: query.qid!, policy, settings, nodes } satisfies RolloutRecord)
    },
  })
  return { ...report, unknown: queries.length - known.length, ...sums }
}

const lineSchema = rolloutRecordSchema.pick({ policy: true, settings: true }).extend({ qid: identifier })

/**
 * @param made the settings of a line of the file
 * @param now those of this run
 * @throws QuerentError `bad-config` that names those that differ
 */
function checkSameSettings(file: string, made: Settings, now: Settings): void {
  // As a line keeps them.
  const kept: Settings = JSON.parse(JSON.stringify(now))
  const names = new Set([...Object.keys(made), ...Object.keys(kept)])
  const others = [...names].filter((name) => !isDeepStrictEqual(made[name], kept[name]))
  if (others.length === 0) return
  const differences = others.map((name) => `${name}: ${shown(made[name])}, now ${shown(kept[name])}`)
  throw new QuerentError('bad-config', `${file} was made with other settings (${differences.join('; ')})`, {
    remedy: 'Name another file, or give the same settings.',
  })
}

/** A prompt template, for one, is too long to show. */
const shown = (value: unknown): string => (value === undefined ? 'none' : cut(JSON.stringify(value), 60))
