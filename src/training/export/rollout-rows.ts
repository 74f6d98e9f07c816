/** Rollouts as rows for trainers: to imitate the good ones, to prefer one to another, or to learn from each with its advantage. */
import { crc32 } from 'node:zlib'
import { QuerentError } from '../../errors.ts'
import { createRandom } from '../../learn/random.ts'
import type { Message } from '../../types.ts'
import { pathTo, type RecordedNode, type RolloutRecord } from '../rollouts/record.ts'
import { chatOf } from './formats.ts'

export interface RolloutRowOptions {
  /** The agents whose completions are written. Default: all. */
  readonly agents?: readonly string[] | undefined
  /** `sft`: the reward of a leaf whose path is worth imitating. Default: 1. */
  readonly threshold?: number | undefined
  /** `sft`: the maximum number of paths of a query, those with the highest reward first. Default: 4, as in C-3PO's code. */
  readonly maxPaths?: number | undefined
  /** `sft`: whether completions that were given rather than sampled are imitated, too. Default: false. */
  readonly forced?: boolean | undefined
  /** `preferences`: how much more one completion must be worth than the other. Default: 0.5. */
  readonly margin?: number | undefined
  /**
   * `steps`: agents of which a query has at most as many rows as of all others together, chosen at random by the query's id. SPARKLE's
   * code does so with its decisions, of which a tree has many. Default: none.
   */
  readonly balanced?: readonly string[] | undefined
}

type RowsOf = (record: RolloutRecord, options: RolloutRowOptions) => object[]

const isWanted = ({ agent }: RecordedNode, { agents }: RolloutRowOptions): boolean =>
  agent !== undefined && (agents === undefined || agents.includes(agent))

/** The agents' completions on the way to a good answer, each once, as chats. */
const sft: RowsOf = ({ nodes }, options) => {
  const { threshold = 1, maxPaths = 4, forced: withForced = false } = options
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const good = nodes
    .filter(({ reward, failed }) => reward !== undefined && failed === undefined && reward >= threshold)
    .toSorted((one, other) => other.reward! - one.reward!)
    .slice(0, maxPaths)
  const onPaths = new Set(good.flatMap((leaf) => [...pathTo(leaf, byId)]))
  return nodes
    .filter((node) => onPaths.has(node) && isWanted(node, options) && node.invalid === undefined)
    .filter(({ forced }) => withForced || forced === undefined)
    .map(({ messages, completion }) => chatOf(messages, completion))
}

const answerOf = (content: string): readonly Message[] => [{ role: 'assistant', content }]

/** Pairs of completions of one prompt in the same state, in the format of TRL's preference datasets. */
const preferences: RowsOf = ({ nodes }, options) => {
  const { margin = 0.5 } = options
  const valued = nodes.filter((node) => isWanted(node, options) && node.value !== undefined)
  // What the policy could not use is worth something, too, where the policy went on without it.
  const usable = valued.filter(({ invalid }) => invalid === undefined)
  return usable.flatMap((chosen) =>
    valued
      .filter(({ parent, value }) => {
        const more = chosen.value! - value!
        return parent === chosen.parent && more > 0 && more >= margin
      })
      .map((rejected) => ({
        prompt: chosen.messages,
        chosen: answerOf(chosen.completion),
        rejected: answerOf(rejected.completion),
      })),
  )
}

/** A row for each completion of an agent. */
const steps: RowsOf = ({ qid, nodes }, options) =>
  balanced(
    qid,
    nodes.filter(({ agent, value }) => agent !== undefined && value !== undefined),
    options,
  )
    .filter((node) => isWanted(node, options))
    .map(({ agent, messages, completion, forced = false, value, advantage, tokenIds, logprobs }) => ({
      query_id: qid,
      agent,
      messages,
      completion,
      forced,
      value,
      advantage,
      ...(tokenIds && { tokenIds }),
      ...(logprobs && { logprobs }),
    }))

/** The nodes without those of the balanced agents that are too many. */
function balanced(
  qid: string,
  nodes: readonly RecordedNode[],
  { balanced: agents = [] }: RolloutRowOptions,
): readonly RecordedNode[] {
  const isMany = ({ agent }: RecordedNode): boolean => agents.includes(agent!)
  const many = nodes.filter(isMany)
  const others = nodes.length - many.length
  const random = createRandom(crc32(qid))
  const dropped = new Set<RecordedNode>()
  while (many.length > others) dropped.add(many.splice(random.integer(many.length), 1)[0]!)
  return nodes.filter((node) => !dropped.has(node))
}

const rows = { sft, preferences, steps } as const satisfies Record<string, RowsOf>

export const rolloutExports: readonly string[] = Object.keys(rows)

/** The rows of a query's rollouts. @throws QuerentError `bad-config` for an unknown format */
export function rolloutRows(to: string, record: RolloutRecord, options: RolloutRowOptions = {}): object[] {
  checkRolloutExport(to)
  return rows[to as keyof typeof rows](record, options)
}

/** @throws QuerentError `bad-config` for an unknown format */
export function checkRolloutExport(to: string): void {
  if (Object.hasOwn(rows, to)) return
  throw new QuerentError('bad-config', `There is no export of rollouts to ${JSON.stringify(to)}`, {
    remedy: `Those that exist are ${rolloutExports.join(', ')}.`,
  })
}
