/** What the experiments found, in sentences made from their numbers. What may be chance is called neither a gain nor a loss. */
import type { Verdict } from '../../src/evaluation/comparison.ts'
import { count, decimal, enumerate, pEquals, percent, signed } from '../../src/evaluation/report/words.ts'
import type { Experiments, Row, Study } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import { systemNames } from '../experiments/systems.ts'
import { measureTitles, signedValue, value } from './words.ts'

/** Who must be beaten for something to have been learned. */
export const rivals: readonly string[] = [systemNames.asIs, systemNames.fixed, systemNames.contextFree]

/** The whole report in one line: by the Stage II reward of the decision alone, on all queries. */
export function headline({ comparison }: Experiments): string {
  const beaten = against(comparison, 'better')
  const lost = against(comparison, 'worse')
  const open = against(comparison, 'unclear')
  if (beaten.length === rivals.length)
    return `The decision has learned: on queries it has never seen it finds more than ${enumerate(beaten)}`
  if (lost.length > 0)
    return `The decision finds less than ${enumerate(lost)}${beaten.length > 0 ? `, and more than ${enumerate(beaten)}` : ''}`
  if (beaten.length === 0) return 'It is not shown that the decision has learned anything'
  return `The decision finds more than ${enumerate(beaten)}; no difference to ${enumerate(open)} is shown`
}

function against({ groups }: Study, verdict: Verdict): string[] {
  return rivals.filter((name) => rowOf(groups[0]!.rows, name)?.alone.reward.difference?.verdict === verdict)
}

const rowOf = (rows: readonly Row[], name: string): Row | undefined => rows.find((row) => row.name === name)

/** With fewer the deviation between seeds says little. */
const fewestSeeds = 5

/** What a reader should know first, a sentence each: whether the decision is better than what knows less. */
export function mainFindings({ comparison, setup }: Experiments): string[] {
  const { rows } = comparison.groups[0]!
  const learned = rowOf(rows, systemNames.learned)!
  return [
    ...(setup.seeds.length < fewestSeeds
      ? [
          `A first look, with ${count(setup.seeds.length, 'seed')}: how much is luck of training is not known.`,
        ]
      : []),
    ...rivals.flatMap((name) => rivalFinding(name, rowOf(rows, name))),
    ...lossFinding(comparison),
    ...oracleFinding(rows, learned),
    ...shuffleFinding(rowOf(rows, systemNames.shuffled)),
    `${percent(learned.leftAlone)} of the queries are left alone, and ${percent(learned.oneStage)} save the second stage (re-ranking makes a second request for all but ${percent(learned.oneRequest)}); on average there are ${learned.subQueries.toFixed(1)} sub-queries.`,
    ...rerankFinding(learned),
  ]
}

/** What came out beside that. */
export function otherFindings(experiments: Experiments): string[] {
  const { ablations, leftOut, retrievers, filtered } = experiments
  return [
    ...numberFinding(experiments),
    ...(ablations === undefined ? [] : ablationFindings(ablations)),
    ...(filtered === undefined
      ? []
      : [
          `The paper's filter keeps ${percent(filtered.kept / filtered.of)} of the training queries for Stage II.`,
        ]),
    ...(leftOut === undefined ? [] : transferFinding(leftOut)),
    ...(retrievers === undefined ? [] : retrieverFinding(retrievers)),
  ]
}

function rivalFinding(name: string, row: Row | undefined): string[] {
  const difference = row?.alone.reward.difference
  if (difference === undefined) return []
  const { mean, low, high, pHolm, verdict } = difference
  const evidence = `(95 % interval ${signed(low)} to ${signed(high)}, ${pEquals(pHolm)})`
  return verdict === 'unclear'
    ? [`Against ${name} no difference in reward is shown: ${signed(mean)} ${evidence}.`]
    : [`Against ${name} the decision alone earns ${signed(mean)} ${evidence}: ${verdict}.`]
}

const measures = ['reward', 'recall@5', 'ndcg@10'] as const satisfies readonly MeasureName[]

/** Where the decision alone is below what it must beat. */
function lossFinding({ groups, alpha }: Study): string[] {
  const found = (
    isLoss: (difference: NonNullable<Row['alone']['reward']['difference']>) => boolean,
  ): string[] =>
    groups.flatMap(({ name, rows }) =>
      rivals.flatMap((rival) =>
        measures.flatMap((measure) => {
          const difference = rowOf(rows, rival)?.alone[measure].difference
          if (difference === undefined || !isLoss(difference)) return []
          return [
            `${name}, against ${rival}: ${measureTitles[measure]} ${signedValue(measure, difference.mean)}`,
          ]
        }),
      ),
    )
  const losses = found(({ verdict }) => verdict === 'worse')
  const uncorrected = found(({ verdict, mean, p }) => verdict === 'unclear' && mean < 0 && p < alpha)
  const called = enumerate(measures.map((measure) => measureTitles[measure]))
  return [
    losses.length === 0
      ? `In ${called} the decision alone is on no collection significantly below any of these.`
      : `The decision alone is significantly below in ${losses.length} of ${groups.length * rivals.length * measures.length} comparisons: ${losses.join('; ')}.`,
    ...(uncorrected.length === 0
      ? []
      : [`Without Holm's correction it would also be below in: ${uncorrected.join('; ')}.`]),
  ]
}

function oracleFinding(rows: readonly Row[], learned: Row): string[] {
  const raw = rowOf(rows, systemNames.asIs)?.alone.reward.mean
  const oracle = rowOf(rows, systemNames.oracle)?.alone.reward.mean
  if (raw === undefined || oracle === undefined || oracle <= raw) return []
  const share = (learned.alone.reward.mean - raw) / (oracle - raw)
  return [
    `Of what the oracle gains over the query as it is (${signed(oracle - raw)}), the decision gets ${share < 0 ? 'nothing' : percent(share)}.`,
  ]
}

function shuffleFinding(shuffled: Row | undefined): string[] {
  const difference = shuffled?.alone.reward.difference
  if (shuffled === undefined || difference === undefined) return []
  const { mean, verdict } = difference
  return [
    `Trained on the rewards of other queries, the same policy reaches ${decimal(shuffled.alone.reward.mean)}: ${
      verdict === 'better'
        ? `${decimal(mean)} less, which is what looking at the query is worth`
        : verdict === 'worse'
          ? `${decimal(-mean)} more`
          : 'no difference is shown'
    }. That a policy beats the query as it is proves little: almost any set of sub-queries does.`,
  ]
}

/** Whether the number of sub-queries explores, then converges, as in ACQO's Figure 4. */
function numberFinding({ curve }: Experiments): string[] {
  const first = curve[0]
  const last = curve.at(-1)
  const explored = curve.findLast(({ stage }) => stage === 1)
  if (first === undefined || last === undefined || explored === undefined) return []
  const [before, between, after] = [first, explored, last].map(
    ({ heldOut }) => heldOut.subQueriesDrawn.mean,
  ) as [number, number, number]
  const most = Math.max(...curve.map(({ heldOut }) => heldOut.subQueriesDrawn.mean))
  const shape =
    between > before && after < most - 0.05
      ? 'it explores, then converges, as in the paper'
      : between > before
        ? "it explores and does not come back, unlike the paper's"
        : "it does not explore in Stage I, unlike the paper's"
  return [
    `Of the first of the policies whose mean decides, the expected number of sub-queries is ${before.toFixed(2)} before training, ${between.toFixed(2)} after Stage I, ${most.toFixed(2)} at the most and ${after.toFixed(2)} at the end: ${shape}.`,
  ]
}

function rerankFinding({ alone, reranked }: Row): string[] {
  if (reranked === undefined) return []
  return [
    `With re-ranking recall@5 is ${value('recall@5', reranked['recall@5'].mean)} in place of ${value('recall@5', alone['recall@5'].mean)}, and nDCG@10 ${value('ndcg@10', reranked['ndcg@10'].mean)} in place of ${value('ndcg@10', alone['ndcg@10'].mean)}.`,
  ]
}

function ablationFindings({ groups, reference }: Study): string[] {
  const with_ = (verdict: Verdict): string[] =>
    groups[0]!.rows
      .filter((row) => row.name !== reference && row.alone.reward.difference?.verdict === verdict)
      .map(({ name, alone }) => `${name} (${signed(-alone.reward.difference!.mean)})`)
  const [helps, nothing, hurts] = [with_('better'), with_('unclear'), with_('worse')]
  return [
    ...(helps.length > 0 ? [`Retrained, the decision earns significantly less: ${helps.join('; ')}.`] : []),
    ...(nothing.length > 0 ? [`Retrained, no difference is shown: ${nothing.join('; ')}.`] : []),
    ...(hurts.length > 0 ? [`Retrained, it earns significantly more: ${hurts.join('; ')}.`] : []),
  ]
}

function transferFinding({ groups }: Study): string[] {
  const parts = groups.map(({ name, rows }) => {
    const own = rowOf(rows, systemNames.learned)?.alone.reward.difference
    const raw = rowOf(rows, systemNames.asIs)?.alone.reward.difference
    return `${name} ${signed(own?.mean ?? 0)} (${signed(raw?.mean ?? 0)} to the query as it is)`
  })
  return [
    `Reward on a collection without having been trained on it, against having been: ${parts.join('; ')}.`,
  ]
}

function retrieverFinding({ groups, reference }: Study): string[] {
  const parts = groups.flatMap(({ name, rows }) =>
    rows.flatMap((row) => {
      const difference = row.alone.reward.difference
      if (row.name === reference || row.name === systemNames.asIs || difference === undefined) return []
      return [`${name}: ${signed(difference.mean)} to a policy ${row.name} (${pEquals(difference.pHolm)})`]
    }),
  )
  return [
    `A policy used on the retriever that it was trained on, against one that was not: ${parts.join('; ')}.`,
  ]
}
