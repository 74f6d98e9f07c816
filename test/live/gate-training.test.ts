import { describe, expect, it } from 'vitest'
import { actionInputs } from '../../policies/local/actions.ts'
import { prepareChoice } from '../../policies/local/choose.ts'
import { evidenceFeatures } from '../../policies/local/gate/evidence.ts'
import { gateInputs } from '../../policies/local/gate/gate.ts'
import type { PreparedExample } from '../../policies/local/training/action-space.ts'
import { collectionWeights } from '../../policies/local/training/collection-weights.ts'
import { choiceProblems } from '../../policies/local/training/decision-training.ts'
import { trainGate } from '../../policies/local/training/gate-training.ts'
import { prepared } from '../support/prepared.ts'
import { linear } from '../support/small-scorers.ts'

/**
 * Plain queries, whose document is first already and which names only push down, and chains, which find theirs by a name. One
 * feature of the evidence tells them apart.
 */
function world(count: number): PreparedExample[] {
  return Array.from({ length: count }, (_, place) => {
    const isPlain = place % 2 === 0
    const one = prepared({
      qid: `q${place}`,
      golds: ['gold'],
      asIs: isPlain ? ['gold', 'x', 'y'] : ['x', 'y', 'z'],
      found: { name: isPlain ? ['y', 'x', 'w'] : ['gold', 'u', 'v'] },
    })
    one.stage.evidence[evidenceFeatures.indexOf('coverage: first document')] = isPlain ? 1 : 0
    return one
  })
}

const options = {
  seed: 1,
  choice: { models: 1, curriculum: { stageOneEpochs: 1, stageTwoEpochs: 3, filter: false } },
}

describe('trainGate', () => {
  it('learns for which queries the best set is worth a request, from queries that no policy has seen', async () => {
    const examples = world(100)
    const progress: string[] = []
    const gate = await trainGate(examples, choiceProblems(examples), {
      ...options,
      foldOf: examples.map((_, place) => (place >> 1) % 2),
      onProgress: (done, total) => void progress.push(`${done}/${total}`),
    })
    // Two folds and, since there is a single corpus, three networks.
    expect(progress).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5'])
    expect(gate.map(({ inputs }) => inputs)).toEqual(Array(3).fill(gateInputs))
    const choose = prepareChoice({ choice: linear(actionInputs, { 'has names': 1 }), gate })
    const taken = world(6).map((one) => choose(one).choice !== 0)
    expect(taken).toEqual([false, true, false, true, false, true])
  })

  it('is the same for the same seed', async () => {
    const examples = world(100)
    const foldOf = examples.map(() => 0)
    const first = await trainGate(examples, choiceProblems(examples), { ...options, foldOf })
    expect(await trainGate(examples, choiceProblems(examples), { ...options, foldOf })).toEqual(first)
  })

  it('learns nothing from few queries, or where there is nothing else to search', async () => {
    const few = world(99)
    expect(await trainGate(few, choiceProblems(few), { ...options, foldOf: few.map(() => 0) })).toEqual([])
    const alone = Array.from({ length: 120 }, (_, place) =>
      prepared({ qid: `q${place}`, golds: ['gold'], asIs: ['gold'], found: {} }),
    )
    expect(await trainGate(alone, choiceProblems(alone), { ...options, foldOf: alone.map(() => 0) })).toEqual(
      [],
    )
  })
})

it('collectionWeights() lets a collection count by the root of its size', () => {
  const weights = collectionWeights(['a', 'a', 'a', 'a', 'b'])
  expect([...weights]).toEqual([
    ['a', 1 / 2],
    ['b', 1],
  ])
})
