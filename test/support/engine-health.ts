/** Waiting until a node that was just started answers. */
import { setTimeout as delay } from 'node:timers/promises'
import type { EngineKind } from '../../scripts/engines/recipes.mjs'
import type { NodeProcess } from './engine-node.ts'

export interface Asked {
  readonly kind: EngineKind
  readonly process: NodeProcess
  readonly url: string
  /** What the node is asked besides for the health of its cluster: `wait_for_status=green`, say. */
  readonly until: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** How long a node may take: it is 6 s on a machine with nothing else to do. */
const limitMs = 300_000

const betweenMs = 200

/**
 * Asks for the health of the cluster until the answer is good.
 *
 * @throws Error where the node ends, or the time is up; with the end of its log. The signal's reason where it aborts.
 */
export async function untilHealthy({ kind, process, url, until, headers, signal }: Asked): Promise<void> {
  const deadline = AbortSignal.timeout(limitMs)
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline
  let last = 'it never answered'
  while (process.isRunning() && !either.aborted) {
    try {
      const response = await fetch(`${url}/_cluster/health?timeout=1s&${until}`, { signal: either, headers })
      last = `it last answered ${response.status} ${await response.text()}`
      if (response.ok) return
      await delay(betweenMs, undefined, { signal: either })
    } catch {
      // Nobody listens yet.
      await delay(betweenMs, undefined, { signal: either }).catch(() => {})
    }
  }
  signal?.throwIfAborted()
  const what = process.isRunning() ? `is not ready after ${limitMs / 1000} s: ${last}` : 'has ended'
  throw new Error(`A node of ${kind} ${what}. Its log ends with:\n${process.log()}`)
}
