import { type PolicySettings, policyByName } from '../../../policies/by-name.ts'
import { QuerentError } from '../../errors.ts'
import type { NamedVariants, Variant } from './variants.ts'

type System = NamedVariants['systems'][number]

interface DistinctSystems {
  /** Each system once, under its first name. */
  readonly systems: readonly System[]
  /** Name of a system that is left out → name of the same system in `systems`. */
  readonly same: ReadonlyMap<string, string>
}

/**
 * Leaves out systems that are the same as an earlier one: a policy without re-ranking is the same with `own` and with `none`.
 * Testing a system twice would waste a comparison.
 *
 * @throws QuerentError `bad-config` if only one is left; as `policyByName`
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
    `These systems are the same: ${all.map(({ name }) => name).join(', ')}`,
    {
      remedy:
        'Name systems that differ. For a policy without re-ranking, --reranks own and none are the same.',
    },
  )
}

/** Equal for systems that are the same. */
async function keyOf(
  { policy, fusion, rerank, retrievers }: Variant,
  settings: PolicySettings,
): Promise<string> {
  const own = (await policyByName(policy, settings)).reranks ? policy : false
  // An index searches its retrievers in its own order.
  return JSON.stringify([policy, fusion, rerank ?? own, retrievers && [...new Set(retrievers)].sort()])
}
