import { acqo } from '../../policies/acqo/acqo.ts'
import { none } from '../../policies/none.ts'
import { QuerentError } from '../errors.ts'
import type { Policy } from '../tools.ts'
import type { Settings } from './settings.ts'

/** The policies of the command line: what each is made from, and whether it asks a chat model. */
const policies = {
  none: { asks: false, create: () => none() },
  acqo: { asks: true, create: ({ maxSubQueries, withOriginal }) => acqo({ maxSubQueries, withOriginal }) },
  'acqo-single': { asks: true, create: ({ withOriginal }) => acqo({ decompose: false, withOriginal }) },
} as const satisfies Record<string, { asks: boolean; create: (settings: Settings) => Policy }>

/** The policy of that name. Throws `bad-config` where there is none. */
export function policyByName(name: string, settings: Settings): { readonly policy: Policy; readonly asks: boolean } {
  if (!Object.hasOwn(policies, name)) {
    throw new QuerentError('bad-config', `There is no policy ${JSON.stringify(name)}`, {
      remedy: `The policies are ${Object.keys(policies).join(', ')}.`,
    })
  }
  const { asks, create } = policies[name as keyof typeof policies]
  return { policy: create(settings), asks }
}
