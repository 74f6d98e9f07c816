/** Policies by what is typed: a name, or the path of a file that `querent train` wrote. */
import { acqo } from '../../../policies/acqo/acqo.ts'
import { type LocalPolicy, localPolicy, makeLocalPolicy } from '../../../policies/local/local-policy.ts'
import { readPolicy } from '../../../policies/local/policy-store.ts'
import { legNames, shippedFor } from '../../../policies/local/shipped.ts'
import { none } from '../../../policies/none.ts'
import { QuerentError } from '../../errors.ts'
import type { Policy } from '../../tools.ts'
import type { Retriever } from '../../types.ts'

/** What the settings say to policies; an absent option is the policy's own default. */
export interface PolicySettings {
  readonly maxSubQueries?: number | undefined
  readonly maxSecondStage?: number | undefined
  readonly withOriginal?: boolean | undefined
  readonly workers?: number | undefined
}

/**
 * What decides and, where it has been trained to, what re-ranks.
 *
 * @param after a policy that decides in its place, see `LocalPolicyOptions`
 */
type Make = (retrievers: readonly Retriever[], after?: Policy) => LocalPolicy | Promise<LocalPolicy>

export interface NamedPolicy {
  /** As it was typed. */
  readonly name: string
  /** Whether it asks a chat model. */
  readonly asks: boolean
  /** Whether it has a re-ranking of its own. */
  readonly reranks: boolean
  /** Makes it for the retrievers that search. */
  readonly make: Make
  /** What should be known where these retrievers search. */
  readonly caution?: ((retrievers: readonly Retriever[]) => string | undefined) | undefined
}

export const defaultPolicy = 'local'

const policies = {
  local: {
    asks: false,
    reranks: true,
    create:
      ({ maxSecondStage, workers }) =>
      (retrievers, after) =>
        localPolicy({ retrievers, maxSecondStage, after, workers }),
  },
  none: { asks: false, reranks: false, create: () => () => ({ policy: none() }) },
  acqo: {
    asks: true,
    reranks: false,
    create:
      ({ maxSubQueries, withOriginal }) =>
      () => ({ policy: acqo({ maxSubQueries, withOriginal }) }),
  },
  'acqo-single': {
    asks: true,
    reranks: false,
    create:
      ({ withOriginal }) =>
      () => ({ policy: acqo({ decompose: false, withOriginal }) }),
  },
} as const satisfies Record<
  string,
  { asks: boolean; reranks: boolean; create: (settings: PolicySettings) => Make }
>

export const policyNames: readonly string[] = Object.keys(policies)

/**
 * The policy of that name or file.
 *
 * @throws QuerentError `bad-config` where there is none of that name; `missing-file`, `bad-policy` for a file
 */
export async function policyByName(name: string, settings: PolicySettings): Promise<NamedPolicy> {
  if (isPolicyFile(name)) {
    const file = await readPolicy(name)
    const { maxSecondStage, workers } = settings
    return {
      name,
      asks: false,
      reranks: file.rerank !== undefined,
      make: (_, after) => makeLocalPolicy(file, { maxSecondStage }, after, workers),
      caution(retrievers) {
        const trained = [...new Set(file.trainedOn.flatMap((origin) => origin.retrievers))]
        const searched = legNames(retrievers)
        if (trained.length === 0 || shippedFor(trained) === shippedFor(searched)) return undefined
        return `${name} was trained for ${trained.join(' and ')} and searches ${searched.join(' and ')}: it may decide worse than one that was trained for that.`
      },
    }
  }
  if (!Object.hasOwn(policies, name)) {
    throw new QuerentError('bad-config', `There is no policy ${JSON.stringify(name)}`, {
      remedy: `The policies are ${policyNames.join(', ')}, and the files that \`querent train\` writes (a name with / or .json).`,
    })
  }
  const { asks, reranks, create } = policies[name as keyof typeof policies]
  return { name, asks, reranks, make: create(settings) }
}

/** Whether a policy is meant by its file, and not by its name. */
export const isPolicyFile = (name: string): boolean => /[/\\]|\.json$/.test(name)
