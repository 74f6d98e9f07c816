import { describe, expect, it } from 'vitest'
import { prepareChoice } from '../../../../policies/local/decision/decision.ts'
import { evidenceFeatures } from '../../../../policies/local/decision/evidence.ts'
import { gainInputs, gainNetworks } from '../../../../policies/local/decision/gain.ts'
import { trainGains } from '../../../../policies/local/training/gain-training.ts'
import type { SearchedPlans } from '../../../../policies/local/training/plan-search.ts'
import { prepared } from '../../../support/prepared.ts'

const covered = evidenceFeatures.indexOf('seeds: first covers')

/**
 * Plain queries, whose document is first already and which every plan pushes down, and chains, which the names answer. The parts never
 * help. One feature of the evidence tells the queries apart.
 */
function world(count: number): SearchedPlans[] {
  return Array.from({ length: count }, (_, place) => {
    const isPlain = place % 2 === 0
    const one = prepared({
      qid: `q${place}`,
      golds: ['gold'],
      asIs: isPlain ? ['gold', 'x', 'y'] : ['x', 'gold', 'y'],
      found: {
        parts: ['y', 'x', 'w'],
        'names and bridges': isPlain ? ['y', 'x', 'w'] : ['gold', 'u', 'v'],
      },
      collection: 'world',
    })
    one.stage.evidence[covered] = isPlain ? 1 : 0
    return one
  })
}

const names = (searched: readonly SearchedPlans[], choose: ReturnType<typeof prepareChoice>) =>
  searched.map((one) => choose(one).plan?.name)

describe('trainGains', () => {
  it('learns which plan gains for which query, and where none does', async () => {
    const progress: string[] = []
    const gains = await trainGains(world(120), {
      seed: 1,
      onProgress: (done, total) => void progress.push(`${done}/${total}`),
    })
    expect(gains.map(({ inputs }) => inputs)).toEqual(Array(gainNetworks).fill(gainInputs))
    expect(progress).toEqual(['1/3', '2/3', '3/3'])
    expect(names(world(4), prepareChoice(gains))).toEqual([
      undefined,
      'names and bridges',
      undefined,
      'names and bridges',
    ])
  })

  it('is the same for the same seed, and another for another', async () => {
    const all = world(12)
    const first = await trainGains(all, { seed: 1 })
    expect(await trainGains(all, { seed: 1 })).toEqual(first)
    expect(await trainGains(all, { seed: 2 })).not.toEqual(first)
  })

  it('can be aborted', async () => {
    await expect(trainGains(world(12), { seed: 1, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})
