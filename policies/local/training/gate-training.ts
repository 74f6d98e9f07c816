/** Trains the gate: for which queries the best set of sub-queries is worth a request. */
import { parseMetric } from '../../../src/evaluation/metrics.ts'
import { fitGain, type GainExample } from '../../../src/learn/gain.ts'
import { prepareScorer, type Scorer } from '../../../src/learn/scorer.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { mean } from '../../../src/learn/statistics.ts'
import { bestOf } from '../choose.ts'
import { gateInputs, gateNetworks, gateRow, learnedCost } from '../gate/gate.ts'
import { fusedHits, type PreparedExample } from './action-space.ts'
import type { ChoiceProblem } from './choice-learner.ts'
import { collectionWeights } from './collection-weights.ts'
import { corpusShares } from './corpus-shares.ts'
import { type DecisionTrainingOptions, trainDecision } from './decision-training.ts'

/** From fewer queries the gate would learn noise. Without a gate, the policy itself decides when to leave a query alone. */
const leastExamples = 100

/** How many networks there are if all learn from the same queries: more were no better, and took longer. */
const alikeNetworks = 3

const metrics = ['ndcg@10', 'recall@5'].map(parseMetric)

export interface GateTrainingOptions extends Pick<DecisionTrainingOptions, 'seed' | 'choice' | 'signal'> {
  /** The fold of each example. The set of an example is chosen by a policy that was trained on the other folds. */
  readonly foldOf: readonly number[]
  /** Folds or networks finished, and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Fits the gate on the gains of the sets that policies choose for queries which they have not seen. For its own training queries
 * a policy chooses too well, so the gate would predict too high gains. Collections count by the root of their size, so that small
 * ones matter too.
 *
 * From six corpora on, there are six networks, and each learns without some of the corpora (see `corpusShares`): what a single
 * corpus teaches, such as that a question of its form is a chain, then speaks less loudly in others. With fewer corpora, three
 * networks learn from all of them.
 *
 * @param problems the choice for each of the prepared queries
 * @returns an empty list if fewer than 100 queries have a set that searches something
 */
export async function trainGate(
  prepared: readonly PreparedExample[],
  problems: readonly ChoiceProblem[],
  { foldOf, seed, choice, signal, onProgress }: GateTrainingOptions,
): Promise<readonly Scorer[]> {
  const corpora = prepared.filter(({ choices }) => choices.length > 1).map(({ example }) => example.corpus)
  if (corpora.length < leastExamples) return []
  const folds = [...new Set(foldOf)].sort((a, b) => a - b)
  const shares = corpusShares(corpora, {
    networks: gateNetworks,
    alike: alikeNetworks,
    least: leastExamples,
  })
  const total = folds.length + shares.length
  const examples: (GainExample & { readonly corpus: string })[] = []
  const weights = collectionWeights(prepared.map(({ example }) => example.collection))
  for (const [place, fold] of folds.entries()) {
    const others = problems.filter((_, index) => foldOf[index] !== fold)
    const { scorer } = await trainDecision(others.length > 0 ? others : problems, {
      seed: seed + place,
      choice,
      signal,
    })
    const example = prepareExample(scorer)
    prepared.forEach((one, index) => {
      if (foldOf[index] !== fold) return
      const made = example(one)
      if (made === undefined) return
      const { collection, corpus } = one.example
      examples.push({ ...made, corpus, weight: weights.get(collection)! })
    })
    onProgress?.(place + 1, total)
  }
  const scorers: Scorer[] = []
  for (const [model, learnsFrom] of shares.entries()) {
    const taught = examples.filter(({ corpus }) => learnsFrom(corpus))
    scorers.push(await fitGain(taught, { inputs: gateInputs, seed: seed + model, signal }))
    onProgress?.(folds.length + model + 1, total)
  }
  return scorers
}

/** Returns a function that makes an example of a query; undefined if nothing but the query itself can be searched. */
function prepareExample(
  scorer: Scorer,
): (prepared: PreparedExample) => Pick<GainExample, 'row' | 'surplus'> | undefined {
  const score = prepareScorer(scorer)
  return (prepared) => {
    const { choices, features } = prepared
    const scores = score(features, choices.length)
    const best = bestOf(scores, (place) => choices[place]!.members.length > 0)
    if (best === -1) return undefined
    const gain = worthOf(prepared, best) - worthOf(prepared, 0)
    return { row: gateRow(prepared, best, softmax(scores)), surplus: gain - learnedCost }
  }
}

/** The mean of nDCG@10 and recall@5 of the fused hits of a choice. */
function worthOf(prepared: PreparedExample, choice: number): number {
  const hits = fusedHits(prepared, choice)
  return mean(metrics.map((metric) => metric.compute(hits, prepared.example.golds)))
}
