/** The target score of a bridge: whether its name leads to a relevant document. */
import type { Bridge } from '../bridges.ts'
import type { Look } from './look.ts'

/** A gold counts as found among this many first hits of a look-up. */
const lookUpDepth = 2

/** A gold among this many first hits of the original query needs no bridge: the target is a fifth. */
const alreadyHigh = 5
const alreadyHighTarget = 0.2

/**
 * 1 for a bridge whose name finds a relevant document other than its seed; less if the original query already ranks that document
 * high.
 */
export async function targetsOf(
  bridges: readonly Bridge[],
  { example, retrieved }: Look,
): Promise<Float32Array> {
  const { golds, lookUp } = example
  const { candidates } = retrieved
  const found =
    bridges.length === 0
      ? []
      : await lookUp(
          bridges.map(({ name }) => name),
          lookUpDepth,
        )
  const ranks = new Map(
    candidates.map(({ docid, lexical, dense }) => [docid, bestRank(lexical.rank, dense.rank)]),
  )
  return Float32Array.from(bridges, ({ seed }, place) => {
    const own = candidates[seed]!.docid
    const reached = found[place]!.filter((docid) => docid !== own && (golds.get(docid) ?? 0) > 0)
    if (reached.length === 0) return 0
    return reached.some((docid) => (ranks.get(docid) ?? Infinity) > alreadyHigh) ? 1 : alreadyHighTarget
  })
}

const bestRank = (...ranks: readonly number[]): number =>
  Math.min(...ranks.map((rank) => (rank === 0 ? Infinity : rank)))
