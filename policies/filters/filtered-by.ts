import type { Policy } from '../../src/policy.ts'
import type { FilterFields } from './fields.ts'

/** The policy, which filters by the words of queries where there are fields. The readers of conditions are only loaded for those. */
export async function filteredBy(fields: FilterFields | undefined, policy: Policy): Promise<Policy> {
  if (fields === undefined) return policy
  const { withFilters } = await import('./with-filters.ts')
  return withFilters(policy, { fields })
}
