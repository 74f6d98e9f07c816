import { type PolicySettings, policyByName } from '../../../policies/by-name.ts'
import { QuerentError } from '../../errors.ts'
import type { NamedVariants, Variant } from './variants.ts'

type System = NamedVariants['systems'][number]

interface DistinctSystems {
  /** Each way of searching once, under its first name. */
  readonly systems: readonly System[]
  /** Name of a system that was left out → name of the one that searches as it does. */
  readonly same: ReadonlyMap<string, string>
}

/**
 * Leaves out systems that search as one before them does: a policy without a re-ranking of its own is the same with its own
 * re-ranking and with none. To test one twice would cost a comparison that says nothing.
 *
 * @throws QuerentError `bad-config` where only one is left; as `policyByName`
 */
export async function distinctSystems(
  all: readonly System[],
  settings: PolicySettings,
): Promise<DistinctSystems> {
  const first = new Map<string, System>()
  const same = new Map<string, string>()
  for (const system of all) {
    const key = await keyOf(system.variant, settings)
    const other = first.get(key)
    if (other === undefined) first.set(key, system)
    else same.set(system.name, other.name)
  }
  if (first.size > 1) return { systems: [...first.values()], same }
  throw new QuerentError(
    'bad-config',
    `These are one way of searching: ${all.map(({ name }) => name).join(', ')}`,
    {
      remedy: 'Name systems that differ: a policy without re-ranking is the same with its own and with none.',
    },
  )
}

/** Equal for systems that search alike. */
async function keyOf(
  { policy, fusion, rerank, retrievers }: Variant,
  settings: PolicySettings,
): Promise<string> {
  const own = (await policyByName(policy, settings)).reranks ? policy : false
  // An index searches its retrievers in its own order.
  return JSON.stringify([policy, fusion, rerank ?? own, retrievers && [...new Set(retrievers)].sort()])
}
