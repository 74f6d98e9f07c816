import { acqo } from '../../policies/acqo/acqo.ts'
import { none } from '../../policies/none.ts'
import { QuerentError } from '../errors.ts'
import type { Policy } from '../tools.ts'

/** What the settings say to policies; an absent option is the policy's own default. */
export interface PolicySettings {
  readonly maxSubQueries?: number | undefined
  readonly withOriginal?: boolean | undefined
}

/** The policies of the command line: what each is made from, and whether it asks a chat model. */
const policies = {
  none: { asks: false, create: () => none() },
  acqo: { asks: true, create: ({ maxSubQueries, withOriginal }) => acqo({ maxSubQueries, withOriginal }) },
  'acqo-single': { asks: true, create: ({ withOriginal }) => acqo({ decompose: false, withOriginal }) },
} as const satisfies Record<string, { asks: boolean; create: (settings: PolicySettings) => Policy }>

export const policyNames: readonly string[] = Object.keys(policies)

/** The policy of that name. @throws QuerentError `bad-config` where there is none */
export function policyByName(
  name: string,
  settings: PolicySettings,
): { readonly policy: Policy; readonly asks: boolean } {
  if (!Object.hasOwn(policies, name)) {
    throw new QuerentError('bad-config', `There is no policy ${JSON.stringify(name)}`, {
      remedy: `The policies are ${policyNames.join(', ')}.`,
    })
  }
  const { asks, create } = policies[name as keyof typeof policies]
  return { policy: create(settings), asks }
}
