/** The systems that a command measures or searches with: one, or every combination of what its settings name. */
import { type PolicySettings, policyByName } from '../../../policies/by-name.ts'
import { QuerentError } from '../../errors.ts'
import type { SettingsOf } from './of-commands.ts'
import { given } from './setting.ts'
import { defaultFusion, defaultPolicy } from './setting-names.ts'

export interface Variant {
  /** A policy by name or file. */
  readonly policy: string
  /** The name of a fusion method. */
  readonly fusion: string
  /** The policy or file whose re-ranking orders the hits; `false` for none. Default: the policy's own. */
  readonly rerank?: string | false | undefined
  /** Default: all opened retrievers of the index. */
  readonly retrievers?: readonly string[]
}

interface NamedVariant {
  readonly name: string
  readonly variant: Variant
}

export interface NamedVariants {
  /** The baseline first. */
  readonly systems: readonly NamedVariant[]
  /** Their common settings, in words. */
  readonly shared: Readonly<Record<string, string>>
}

/** The variant of a command that searches with one policy. */
export function variantOf(
  settings: Pick<SettingsOf<'search'>, 'policy' | 'fusion' | 'rerank' | 'retrievers'>,
): Variant {
  const { policy = defaultPolicy, fusion = defaultFusion, rerank, retrievers } = settings
  return { policy, fusion, rerank: rerankOf(rerank === false ? 'none' : rerank), ...given({ retrievers }) }
}

/** The re-ranking that a policy was trained with, if any. */
const own = 'own'

const rerankOf = (name: string = own): Variant['rerank'] =>
  name === own ? undefined : name === 'none' ? false : name

/** The label of a re-ranking in a comparison. */
function rerankLabel(name: string): string {
  if (name === own) return 'its own re-ranking'
  return name === 'none' ? 'fused order' : `re-ranked by ${name}`
}

/**
 * Every policy with every fusion, re-ranking and set of retrievers. A name contains only what differs: with two policies and
 * one fusion, the policy. Throws `bad-config` if there is nothing to compare.
 *
 * @param least number of systems that make a comparison. A single one has no name
 */
export function namedVariants(settings: SettingsOf<'compare'>, least = 2): NamedVariants {
  const { policies = [defaultPolicy], fusions = [defaultFusion], reranks = [own], retrievers } = settings
  const { norm, withOriginal, maxSubQueries } = settings
  const setOf = new Map(
    (retrievers ?? [undefined]).map((names) => [names?.join('+') ?? 'all of the index', names]),
  )
  const rerankNamed = new Map(reranks.map((name) => [rerankLabel(name), name]))
  const dimensions = {
    policy: [...new Set(policies)],
    fusion: [...new Set(fusions)],
    're-ranking': [...rerankNamed.keys()],
    retrievers: [...setOf.keys()],
  }
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[]
  type Values = Record<(typeof names)[number], string>
  const combinations = names.reduce<Partial<Values>[]>(
    (all, name) => all.flatMap((one) => dimensions[name].map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as Values[]
  if (combinations.length < least) {
    throw new QuerentError('bad-config', 'There is only one system, and nothing to compare it with', {
      remedy: 'Name several --policies, --fusions or --reranks, or repeat --retrievers.',
    })
  }
  const varying = names.filter((name) => dimensions[name].length > 1)
  const constant = names.filter(
    (name) => dimensions[name].length === 1 && dimensions[name][0] !== rerankLabel(own),
  )
  return {
    systems: combinations.map((values) => ({
      name: varying.map((name) => values[name]).join(' · '),
      variant: {
        policy: values.policy,
        fusion: values.fusion,
        rerank: rerankOf(rerankNamed.get(values['re-ranking'])),
        ...given({ retrievers: setOf.get(values.retrievers) }),
      },
    })),
    shared: {
      ...Object.fromEntries(constant.map((name) => [name, dimensions[name][0]!])),
      ...given({ norm }),
      ...(withOriginal && { 'the original query': 'votes with the other searches' }),
      ...(maxSubQueries !== undefined && { 'most searches': String(maxSubQueries) }),
    },
  }
}

/**
 * Leaves out systems that are the same as an earlier one: a policy without re-ranking is the same with `own` and with `none`.
 * Testing a system twice would waste a comparison.
 *
 * @returns each system once, under its first name; and name of a system that is left out → name of the same one
 * @throws QuerentError `bad-config` if only one is left; as `policyByName`
 */
export async function distinctSystems(
  all: readonly NamedVariant[],
  settings: PolicySettings,
): Promise<{ readonly systems: readonly NamedVariant[]; readonly same: ReadonlyMap<string, string> }> {
  const first = new Map<string, NamedVariant>()
  const same = new Map<string, string>()
  for (const system of all) {
    const { policy, fusion, rerank, retrievers } = system.variant
    const ofPolicy = (await policyByName(policy, settings)).reranks ? policy : false
    // An index searches its retrievers in its own order.
    const set = retrievers && [...new Set(retrievers)].sort()
    const key = JSON.stringify([policy, fusion, rerank ?? ofPolicy, set])
    const other = first.get(key)
    if (other === undefined) first.set(key, system)
    else same.set(system.name, other.name)
  }
  if (first.size > 1) return { systems: [...first.values()], same }
  const names = all.map(({ name }) => name).join(', ')
  throw new QuerentError('bad-config', `These systems are the same: ${names}`, {
    remedy: 'Name systems that differ. For a policy without re-ranking, --reranks own and none are the same.',
  })
}
