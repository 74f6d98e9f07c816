/** Optimizes the searches of a wrapped client. It is loaded beside the application's own start, and not before it. */
import { createCache } from '../../cache/cache.ts'
import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import type { Hints } from '../drop-in/parse/caller-context.ts'
import { answerRequest } from '../drop-in/run/answer-request.ts'
import type { RequestEngine, SearchRequest } from '../drop-in/run/caller-engine.ts'
import type { Answered } from '../drop-in/run/optimized-msearch.ts'
import type { AppOptions } from '../drop-in/run/options.ts'
import type { SearchSettings } from '../drop-in/run/prepare-settings.ts'
import { sendOwn } from '../drop-in/run/resilient-engine.ts'
import { type ClientRetries, leftToUs } from './retries.ts'

/** The caller of a search. */
export interface ClientCaller {
  /** The caller, beside the client itself. Remembered answers are used for this caller only. */
  readonly identity: string
  /** The request's `x-opaque-id`. */
  readonly opaqueId?: string | undefined
  /** The value of a header of the request. */
  readonly header?: ((name: string) => string | undefined) | undefined
  readonly signal: AbortSignal
  /** How often the client itself sends a search again. */
  readonly retries: ClientRetries
}

export interface Answering {
  /** Starts the threads of the policy. */
  warm(): Promise<void>
  /** @param onPassed called with the reason if the search passes through */
  answer(
    request: SearchRequest,
    engine: RequestEngine,
    asked: ClientCaller & Hints,
    onPassed: (reason: string) => void,
  ): Promise<Answered | EngineAnswer>
}

export function answering(settings: SearchSettings, options: AppOptions): Answering {
  const memory = options.cache ?? createCache()
  return {
    async warm() {
      const { warmUp } = await import('../drop-in/run/warm-up.ts')
      await warmUp(settings)
    },
    async answer(request, engine, asked, onPassed) {
      const { identity, opaqueId, header, signal, history, leftOut, explain } = asked
      const limits = { ...settings.limits, isRetryable: leftToUs(options.retries, asked.retries) }
      const answered = await answerRequest(request, engine, {
        settings: { ...settings, limits },
        ...{ identity, signal, memory, history, leftOut, opaqueId, header },
        explains: explain ?? settings.explain,
      })
      if (!('reason' in answered)) return answered
      const { reason, items, onAnswered } = answered
      onPassed(reason)
      const own = sendOwn(limits, (until) => engine.send(items, { signal: until }), signal)
      return own.finally(onAnswered)
    },
  }
}
