/** Another policy for the searches in which a policy fails, such as one whose chat model is down. */
import { budgetOf, type FullBudget } from '../src/budget.ts'
import { isQuerentError, toError } from '../src/errors.ts'
import type { Policy, Tools } from '../src/policy.ts'
import { closeAll } from '../src/runtime/close-all.ts'
import { toFailure } from '../src/trace.ts'

/**
 * Runs the other policy when the first one rejects, in what is left of the search's time. Each has its own budget. The trace has the
 * prompts that failed, and the reason of the decision begins with why the other policy made it.
 */
export function withFallback(policy: Policy, other: Policy): Policy {
  const [own, others] = [budgetOf(policy.budget), budgetOf(other.budget)]
  const { reads, ...rest } = policy
  return {
    ...rest,
    // The other one may read documents, and the search goes on without them.
    ...(reads === true && { reads }),
    budget: {
      ...policy.budget,
      rounds: own.rounds + others.rounds,
      subQueries: own.subQueries + others.subQueries,
    },
    async run(query, tools) {
      try {
        return await policy.run(query, limited(tools, own))
      } catch (thrown) {
        // A mistake in the configuration is to be seen.
        if (tools.signal.aborted || isQuerentError(thrown, 'bad-config')) throw thrown
        const why = `${policy.name} failed (${toFailure(toError(thrown)).code}), ${other.name} decided`
        const decide: Tools['decide'] = (kind, reason, details) =>
          tools.decide(kind, `${why}: ${reason}`, details)
        return other.run(query, { ...limited(tools, others), decide }).catch(() => {
          throw thrown
        })
      }
    },
    close: () => closeAll([policy, other]),
  }
}

/** The tools of a policy that may spend no more than this. */
function limited(tools: Tools, { rounds, subQueries }: FullBudget): Tools {
  const { budget } = tools
  return {
    ...tools,
    budget: {
      ...budget,
      rounds: Math.min(budget.rounds, rounds),
      subQueries: Math.min(budget.subQueries, subQueries),
    },
  }
}
