import { describe, expect, it } from 'vitest'
import { normNames as actualNorms } from '../../../fusion/common/normalize.ts'
import { fusionNames as actualFusions } from '../../../fusion/index.ts'
import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import { policyNames as actualPolicies } from '../../../policies/by-name.ts'
import {
  fittedFusionNames,
  fusionNames,
  metricNames,
  normNames,
  policyNames,
  profileNames,
  rolloutNames,
} from '../../../src/cli/settings/setting-names.ts'
import { parseMetric } from '../../../src/evaluation/metrics.ts'
import { rolloutNames as actualRollouts } from '../../../src/training/rollouts/by-name.ts'
import { untrainedFusions } from '../../support/untrained-fusions.ts'

describe('names that helps list', () => {
  it('are those of all fusion methods, and of those that can be made by their name', () => {
    expect([...fusionNames].sort()).toEqual([...untrainedFusions].sort())
    expect([...fusionNames, ...fittedFusionNames].sort()).toEqual([...actualFusions].sort())
  })

  it('are those of all normalizations', () => expect(normNames).toEqual(actualNorms))

  it('are those of all policies', () => expect(policyNames).toEqual(actualPolicies))

  it('are those of all profiles', () =>
    expect([...profileNames].sort()).toEqual(Object.keys(acqoProfiles).sort()))

  it('are those of all rollouts', () => expect(rolloutNames).toEqual(actualRollouts))

  it.each(metricNames)('are those of metrics: %s', (name) => {
    expect(parseMetric(name.replace('@k', '@10')).k).toBe(name.includes('@k') ? 10 : undefined)
  })
})
