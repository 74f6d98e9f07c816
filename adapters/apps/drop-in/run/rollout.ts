/** Who gets optimized searches, and who the engine's own answers, while an application tries Querent out. */
import type { SearchRequest } from './caller-engine.ts'
import { openShadow, type Shadow, type ShadowOptions } from './shadow.ts'
import { inShare } from './share.ts'

/** Options of an application that tries Querent out. */
export interface RolloutOptions {
  /**
   * The share of the callers whose searches are optimized, from 0 to 1. The others get the engine's own answers. A caller stays on its
   * side, in every process and after a restart. Default: 1; with `shadow`, 0.
   */
  readonly share?: number | ShareOptions | undefined
  /**
   * Logs what would change: whoever is not in the `share` gets the engine's own answer at once, and afterwards the optimized one is made
   * for the log. It has a deadline of its own, and is the first to be left out under load. Observers do not see it. Default: false.
   */
  readonly shadow?: boolean | ShadowOptions | undefined
  /**
   * The share of the callers with optimized searches, from 0 to 1, whose pages have hits of the engine's own list and the optimized one,
   * so that clicks say which is better (`querent interleave report`). `share` says what tells callers apart. Default: 0.
   */
  readonly interleave?: number | undefined
  /** A kill switch, asked before each request: while it returns true, or throws, all searches pass through. Default: never. */
  readonly isOff?: (() => boolean) | undefined
}

/** A part of the callers. */
export interface ShareOptions {
  /** From 0 (nobody) to 1 (everybody). */
  readonly share: number
  /**
   * What tells callers apart: `identity`, the headers that reach the engine and the option of that name; `session`, the `preference` of
   * the search, where the engines expect the user's session; or the name of a header. What has none counts by its identity. Default:
   * `identity`.
   */
  readonly by?: string | undefined
}

/** Who searches. */
interface Caller {
  readonly identity: string
  /** The value of a header of the request. */
  readonly header?: ((name: string) => string | undefined) | undefined
}

export interface Rollout {
  /** Why the engine alone answers the caller, and whether what Querent would do is logged. Undefined: the search is optimized. */
  passing(
    request: SearchRequest,
    caller: Caller,
  ): { readonly reason: string; readonly shadow?: Shadow | undefined } | undefined
  /** The caller whose pages are interleaved. Undefined: the pages are not. */
  interleavedFor(request: SearchRequest, caller: Caller): string | undefined
  close(): Promise<void>
}

/** @throws QuerentError `write-failed` if the log cannot be opened */
export async function openRollout({
  share,
  shadow,
  interleave = 0,
  isOff,
}: RolloutOptions): Promise<Rollout> {
  const log =
    shadow === undefined || shadow === false ? undefined : await openShadow(shadow === true ? {} : shadow)
  const given: Partial<ShareOptions> =
    typeof share === 'object' ? share : { ...(share !== undefined && { share }) }
  const { share: part = log === undefined ? 1 : 0, by = 'identity' } = given
  const name = by.toLowerCase()

  function callerOf({ parameters }: SearchRequest, { identity, header }: Caller): string {
    if (name === 'identity') return identity
    return (name === 'session' ? sessionIn(parameters.preference) : header?.(name)) ?? identity
  }

  return {
    passing(request, caller) {
      if (isOff !== undefined && isTrue(isOff)) return { reason: 'Querent is switched off' }
      if (inShare(callerOf(request, caller), part, 'share')) return undefined
      return log === undefined
        ? { reason: 'its caller is not in the share' }
        : { reason: 'what Querent would do is only logged', shadow: log }
    },
    interleavedFor(request, caller) {
      const name = callerOf(request, caller)
      return inShare(name, interleave, 'interleave') ? name : undefined
    },
    close: async () => log?.close(),
  }
}

/** A preference of the engine's own, such as `_local`, names no session. */
const sessionIn = (preference: unknown): string | undefined =>
  typeof preference === 'string' && preference !== '' && !preference.startsWith('_') ? preference : undefined

/** A switch that fails switches off. */
function isTrue(isOff: () => boolean): boolean {
  try {
    return isOff()
  } catch {
    return true
  }
}
