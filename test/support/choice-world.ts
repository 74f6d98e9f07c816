/**
 * A world to decide in: queries of three types, five candidates each, and lists in which the relevant documents stand where
 * the type and the candidate put them, with luck. Two worlds share no document.
 */

import { subsetMaxima, subsetRewards } from '../../policies/acqo/rewards.ts'
import type { ChoiceProblem } from '../../policies/local/training/choice-learner.ts'
import { type ChoiceOptions, trainPrepared } from '../../policies/local/training/policy-gradient.ts'
import { prepareProblems } from '../../policies/local/training/prepared-problems.ts'
import { createRandom, type Random } from '../../src/learn/random.ts'
import type { RankedList } from '../../src/types.ts'

export interface WorldQuery {
  readonly qid: string
  /** What can be seen of the type, not without errors: 1, "and", a relative clause, and a length that means nothing. */
  readonly cues: readonly number[]
  /** Of every set of candidates; bit i is candidate i. */
  readonly stageOne: Float64Array
  readonly stageTwo: Float64Array
}

const candidates = ['as is', 'keywords', 'first part', 'second part', 'bridge']
/** Sets of one to three candidates. */
export const actions: readonly number[] = Array.from(
  { length: 2 ** candidates.length },
  (_, set) => set,
).filter((set) => sizeOf(set) >= 1 && sizeOf(set) <= 3)

/** Where each candidate finds each relevant document, from and to which rank; nothing is not at all. */
const types: Readonly<
  Record<string, Readonly<Record<string, readonly (readonly [number, number] | undefined)[]>>>
> = {
  single: { 'as is': [[2, 12]], keywords: [[1, 3]], 'first part': [[15, 60]] },
  comparison: {
    'as is': [
      [4, 20],
      [5, 30],
    ],
    keywords: [
      [3, 20],
      [5, 30],
    ],
    'first part': [[1, 2], undefined],
    'second part': [undefined, [1, 2]],
  },
  bridge: { 'as is': [[1, 2], undefined], keywords: [[2, 9], undefined], bridge: [undefined, [1, 3]] },
}

export function drawWorld(name: string, queries: number, seed: number): WorldQuery[] {
  const random = createRandom(seed)
  const names = Object.keys(types)
  return Array.from({ length: queries }, (_, index) => {
    const type = names[random.integer(names.length)]!
    const qid = `${name} ${index}`
    const golds = types[type]!['as is']!.map((_gold, number) => `${qid} gold ${number}`)
    const searched = candidates.map((candidate) => [
      drawList(qid, candidate, golds, types[type]![candidate] ?? [], random),
    ])
    const stageTwo = subsetRewards(searched, golds, { eta: 0.6 })
    const seen = (is: boolean): number => (random.float() < (is ? 0.9 : 0.1) ? 1 : 0)
    const cues = [1, seen(type === 'comparison'), seen(type === 'bridge'), random.float()]
    return { qid, cues, stageOne: subsetMaxima(stageTwo), stageTwo }
  })
}

function drawList(
  qid: string,
  candidate: string,
  golds: readonly string[],
  places: readonly (readonly [number, number] | undefined)[],
  random: Random,
): RankedList {
  const docids = Array.from({ length: 100 }, (_, place) => `${qid} ${candidate} ${place}`)
  for (const [number, place] of places.entries()) {
    if (place === undefined) continue
    const [from, to] = place
    docids[from - 1 + random.integer(to - from + 1)] = golds[number]!
  }
  const hits = docids.map((docid, place) => ({ docid, score: 1 / (1 + place), rank: 1 + place }))
  return { retriever: 'world', subQuery: { text: candidate, round: 1 }, hits }
}

/** Each candidate of the set, and its size, beside each cue. With one cue, the constant, the policy sees no query. */
export function toProblems(world: readonly WorldQuery[], cues: number): ChoiceProblem[] {
  return world.map((query) => ({
    qid: query.qid,
    actions: actions.length,
    features: Float32Array.from(actions.flatMap((set) => featuresOf(set, query.cues.slice(0, cues)))),
    reward: (action, stage) => (stage === 1 ? query.stageOne : query.stageTwo)[actions[action]!]!,
    size: (action) => sizeOf(actions[action]!),
  }))
}

function featuresOf(set: number, cues: readonly number[]): number[] {
  const present = [
    ...candidates.map((_, index) => ((set >> index) & 1) === 1),
    ...[1, 2, 3].map((size) => sizeOf(set) === size),
  ]
  return present.flatMap((is) => cues.map((cue) => (is ? cue : 0)))
}

export const inputsOf = (cues: number): string[] =>
  [...candidates, ...[1, 2, 3].map((size) => `${size} of them`)].flatMap((name) =>
    Array.from({ length: cues }, (_, cue) => `${name}, cue ${cue}`),
  )

function sizeOf(set: number): number {
  let size = 0
  for (let rest = set; rest > 0; rest &= rest - 1) size++
  return size
}

/** Trains one policy on the problems. */
export const trainOn = async (problems: readonly ChoiceProblem[], { inputs, ...options }: ChoiceOptions) =>
  trainPrepared(prepareProblems(problems, inputs), options)
