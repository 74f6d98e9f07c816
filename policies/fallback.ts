/** What decides where a policy fails, by its name. It is only loaded if it is chosen. */
import type { Policy } from '../src/policy.ts'
import { isPolicyNamed } from '../src/shipped.ts'
import type { LocalPolicyOptions } from './local/local-policy.ts'

/** What may decide in place of a policy that fails. */
export const fallbackNames = ['none', 'local'] as const
export type FallbackName = (typeof fallbackNames)[number]

/**
 * The policy, with the bundled local policy behind it if that is the name.
 *
 * @param options those of the local policy; `rerank` is what follows both, if anything does
 */
export async function fallingBackTo(
  name: FallbackName | undefined,
  policy: Policy,
  options: LocalPolicyOptions,
): Promise<Policy> {
  if (name !== 'local' || isPolicyNamed('local', policy) || isPolicyNamed('none', policy)) return policy
  const { localPolicy } = await import('./local/local-policy.ts')
  const { withFallback } = await import('./with-fallback.ts')
  return withFallback(policy, (await localPolicy(options)).policy)
}
