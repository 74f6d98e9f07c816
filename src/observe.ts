/** Watching searches as they run: one shape for the optimizer, the wrapped clients and the proxy. */
import type { DocumentOf } from './reranker.ts'
import { callSafely } from './runtime/call-safely.ts'
import type { LegTrace, Query, Step, Trace } from './types.ts'

/** One search. Every event of a search carries the same object, so it can be used as a key. */
export interface ObservedSearch {
  readonly query: Query
  /** The name of the policy. */
  readonly policy: string
  /** Hits wanted. Before an engine: of the page. */
  readonly k?: number
}

/** A leg of a search, and the round that it belongs to. */
export type ObservedLeg = LegTrace & { readonly round: number }

/** Rejects if documents cannot be found, or if the search has ended. */
export type FindDocumentsOf = (docids: readonly string[]) => Promise<DocumentOf>

/**
 * What became of a search before an engine. `changed`: the hits or their order differ from the engine's own answer. `unchanged`:
 * Querent looked at the search, and the caller gets the engine's hits in the engine's order. `passed through`: Querent did not look
 * at it, could not read it, or the engine refused it. `failed`: something on Querent's side or the engine failed, and the caller gets
 * the engine's own answer or error.
 */
export interface SearchOutcome {
  readonly kind: 'changed' | 'unchanged' | 'passed through' | 'failed'
  /** Why, where there is a reason. What the caller wrote stands between backticks. */
  readonly reason?: string
}

/** The outcome of a search that Querent did not look at or could not read. */
export const passedThrough = (reason: string): SearchOutcome => ({ kind: 'passed through', reason })

/** An outcome in one line. */
export const said = ({ kind, reason }: SearchOutcome): string =>
  reason === undefined ? kind : `${kind}: ${reason}`

/**
 * The hits of a page that was interleaved from the engine's own list and the optimized one, by which of them brought each, with the ids
 * of the engine. Hits behind the draft stand in neither.
 */
export interface InterleavedHits {
  /** The same for all searches of one caller for the same words in the same index. It does not tell the words. */
  readonly qid: string
  /** The query id of User Behavior Insights, if the search has one. */
  readonly queryId?: string
  /** Those that the engine's own list brought, best first. */
  readonly engine: readonly string[]
  /** Those that the optimized list brought, best first. */
  readonly querent: readonly string[]
}

/** How a search ended. */
export interface SearchReport {
  /** Absent for a search that passed through a wrapped client or the proxy unchanged. */
  readonly search?: ObservedSearch
  readonly trace?: Trace
  /** Why the search rejected or, before an engine, why the engine's own answer was returned. */
  readonly error?: Error
  /** True if the caller had aborted the search when it failed: then the error is no failure. */
  readonly aborted?: boolean
  /** Before an engine: what the caller got. Absent if the caller aborted the search. */
  readonly outcome?: SearchOutcome
  /** Before an engine: the index or indices of the request, as the caller wrote them. Absent for all indices. */
  readonly index?: string | undefined
  /** Before an engine: the caller's `x-opaque-id`. Absent if there is none. */
  readonly opaqueId?: string | undefined
  /**
   * Before an engine: the status of the engine's own answer, where the caller got that answer because of `error`, or because the
   * engine refused the caller's own search (4xx: the search passed through). Absent if the engine gave no answer.
   */
  readonly status?: number
  /** Before an engine: which list brought the hits. Absent if the page is not interleaved, or both lists are the same. */
  readonly interleaved?: InterleavedHits
  /** Before an engine: parts of the caller's context that could not be read, each with the reason. Absent if there are none. */
  readonly leftOut?: readonly string[]
}

/**
 * Callbacks, all of them optional. They run synchronously; exceptions and rejections are ignored, since an observer cannot
 * end a search.
 */
export interface Observer {
  /**
   * Runs the search, so that what the search calls has a context of its own (`AsyncLocalStorage`). Must call `run` before it
   * returns. If it does not, the search runs without it.
   */
  readonly around?: ((event: { readonly search: ObservedSearch }, run: () => void) => void) | undefined
  readonly onSearchStart?: ((event: { readonly search: ObservedSearch }) => void) | undefined
  /** Called once for each search when it has ended, and for each search that passed through. */
  readonly onSearch?: ((report: SearchReport) => void) | undefined
  /** Called when a step begins; what the step comes to is still missing. */
  readonly onStepStart?:
    | ((event: { readonly search: ObservedSearch; readonly step: Step }) => void)
    | undefined
  /** Called when a step is complete. A step that was abandoned may complete after the search has ended. */
  readonly onStep?: ((event: { readonly search: ObservedSearch; readonly step: Step }) => void) | undefined
  /**
   * Called for each leg as soon as its retriever answers, fails or times out. The step of all legs follows. `documentsOf` finds
   * documents of its hits while the search runs.
   */
  readonly onLeg?:
    | ((event: {
        readonly search: ObservedSearch
        readonly leg: ObservedLeg
        readonly documentsOf: FindDocumentsOf
      }) => void)
    | undefined
}

/**
 * All callbacks of an observer.
 */
export type Callbacks = { readonly [Name in keyof Observer]: NonNullable<Observer[Name]> }

/** The observers of one search. */
export interface Watch {
  /** Runs the search inside of all observers that want to be around it. */
  around<Result>(run: () => Promise<Result>): Promise<Result>
  start(): void
  stepStart(step: Step): void
  step(step: Step): void
  leg(leg: ObservedLeg, documentsOf: FindDocumentsOf): void
  /** The search has ended. */
  end(report: Omit<SearchReport, 'search'>): void
}

/** @returns `undefined` if nobody observes: a search that is not observed pays for nothing */
export function watchSearch(
  observers: readonly (Observer | undefined)[],
  search: ObservedSearch,
): Watch | undefined {
  if (observers.every((observer) => observer === undefined)) return undefined
  const all = observeAll(...observers)
  return {
    around<Result>(run: () => Promise<Result>) {
      let result: Promise<Result> | undefined
      all.around({ search }, () => {
        result = run()
      })
      return result!
    },
    start: () => all.onSearchStart({ search }),
    stepStart: (step) => all.onStepStart({ search, step }),
    step: (step) => all.onStep({ search, step }),
    leg: (leg, documentsOf) => all.onLeg({ search, leg, documentsOf }),
    end: (report) => all.onSearch({ search, ...report }),
  }
}

/** An observer that calls each of these, in their order. None of them can keep another from being called. */
export function observeAll(...observers: readonly (Observer | undefined)[]): Required<Callbacks> {
  const watching = observers.filter((observer) => observer !== undefined)
  const tell =
    <Name extends Exclude<keyof Observer, 'around'>>(name: Name) =>
    (event: Parameters<NonNullable<Observer[Name]>>[0]): void => {
      for (const observer of watching) {
        const callback = observer[name] as ((event: unknown) => void) | undefined
        if (callback !== undefined) callSafely((given) => callback.call(observer, given), event)
      }
    }
  return {
    around(event, run) {
      const inside = watching.reduceRight<() => void>(
        (inner, observer) => () => {
          let hasRun = false
          const once = (): void => {
            if (hasRun) return
            hasRun = true
            inner()
          }
          if (observer.around !== undefined) callSafely((given) => observer.around?.(given, once), event)
          once()
        },
        run,
      )
      inside()
    },
    onSearchStart: tell('onSearchStart'),
    onSearch: tell('onSearch'),
    onStepStart: tell('onStepStart'),
    onStep: tell('onStep'),
    onLeg: tell('onLeg'),
  }
}

/** Reports a search that was not optimized. */
export function reportSearch(observer: Observer | undefined, report: SearchReport): void {
  if (observer?.onSearch !== undefined) callSafely((given) => observer.onSearch?.(given), report)
}
