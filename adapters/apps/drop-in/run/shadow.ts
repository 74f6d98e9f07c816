/**
 * The optimized search that is made although the caller has the engine's own answer. It begins after that, ends at a deadline of its
 * own, and comes to a line of a log.
 */
import { QuerentError, toError } from '../../../../src/errors.ts'
import { passedThrough } from '../../../../src/observe.ts'
import { plainReason } from '../../../../src/plain-reason.ts'
import { appendLines } from '../../../../src/runtime/appended-lines.ts'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import { withDeadline } from '../../../../src/runtime/deadline.ts'
import { comparedHits, listChange, type ShadowSearch } from '../../../../src/shadow-search.ts'
import { digestOf } from '../../../cache/key.ts'
import { type Ended, outcomeOf, unanswered } from '../answer/outcome.ts'
import type { JsonObject } from '../parse/json.ts'
import type { SearchCall } from '../parse/parse-search.ts'
import type { RequestEngine } from './caller-engine.ts'
import { noSpare } from './load.ts'

/** The log of what would change. */
export interface ShadowOptions {
  /** The file that gets the lines, at its end. Default: `querent-shadow.jsonl`. */
  readonly log?: string | undefined
  /** Whether lines have the words of searches and the titles of hits. Default: false. */
  readonly words?: boolean | undefined
}

/** The hits of a page without Querent and with it, if they differ. */
export interface Pages {
  readonly before: readonly JsonObject[]
  readonly after: readonly JsonObject[]
  readonly titleOf: (hit: JsonObject) => string | undefined
}

type Reason = { readonly reason: string }
type Made = (Ended & { readonly pages?: Pages }) | Reason
type Outcome = { readonly optimized: readonly Made[] } | Reason

interface Beside {
  /** The searches of the request. */
  readonly calls: readonly SearchCall[]
  readonly engine: RequestEngine
  /** Milliseconds until the caller had the engine's answer, and those that the optimized searches have. */
  readonly engineMs: number
  readonly timeout: number
  /** Optimizes them. The reason if none of them can be. */
  make(engine: RequestEngine, signal: AbortSignal): Promise<Outcome>
}

export interface Shadow {
  /** Optimizes the searches of a request, and logs what that would have changed. Nobody waits for it. */
  begin(beside: Beside): void
  /** Ends what is under way, and then the log. */
  close(): Promise<void>
}

/** How many requests may wait to be optimized: those of a page come together, and none of them should always be left out. */
const maxWaiting = 20

/**
 * Nine tenths of the time nothing is made, so that the median of what callers wait for stays as it is; but no rest is longer than so many
 * milliseconds.
 */
const [restFor, longestRest] = [9, 1000]

/** @throws QuerentError `write-failed` if the log cannot be opened */
export async function openShadow(
  { log = 'querent-shadow.jsonl', words = false }: ShadowOptions,
  clock: Clock = systemClock,
): Promise<Shadow> {
  const lines = await appendLines(log, clock)
  const closing = new AbortController()
  let waiting: Beside[] = []
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const start = clock.now()
      await run(one)
      await rest(Math.min(longestRest, restFor * (clock.now() - start)))
    }
    working = undefined
  }

  const rest = (ms: number): Promise<void> =>
    withDeadline(
      clock,
      { parent: closing.signal, ms, what: 'A rest' },
      () => new Promise<never>(() => {}),
    ).catch(() => {})

  async function run(beside: Beside): Promise<void> {
    let requests = 0
    const count = <Given extends readonly unknown[], Result>(send: (...given: Given) => Result) => {
      return (...given: Given): Result => {
        requests++
        return send(...given)
      }
    }
    const { send, msearch, fieldCaps } = beside.engine
    const counted = { send: count(send), msearch: count(msearch), fieldCaps: count(fieldCaps) }
    const limits = { parent: closing.signal, ms: beside.timeout, what: 'The search for the log' }
    const made = await withDeadline(clock, limits, (signal) => beside.make(counted, signal)).catch(toError)
    append(beside, made, requests)
  }

  function append({ calls, engineMs }: Beside, made: Outcome | Error, requests = 0): void {
    for (const [place, call] of calls.entries()) {
      const one = made instanceof Error || 'reason' in made ? made : made.optimized[place]!
      const line: ShadowSearch = {
        at: new Date().toISOString(),
        ...madeOf(call, one, words),
        engineMs: rounded(engineMs),
        requests: rounded(requests / calls.length),
      }
      lines.append(JSON.stringify(line))
    }
  }

  return {
    begin(beside) {
      if (waiting.length === maxWaiting) return append(beside, { reason: noSpare })
      waiting.push(beside)
      working ??= work()
    },
    async close() {
      waiting = []
      closing.abort(new QuerentError('aborted', 'The log is closed'))
      await working
      await lines.close()
    },
  }
}

/** What the search would have come to. A trace is there if it was understood, pages if the caller would have seen others. */
function madeOf(
  { index, body }: SearchCall,
  made: Made | Error,
  words: boolean,
): Omit<ShadowSearch, 'at' | 'engineMs' | 'requests'> {
  const { kind, reason } =
    made instanceof Error ? unanswered(made) : 'reason' in made ? passedThrough(made.reason) : outcomeOf(made)
  const { trace, pages }: Exclude<Made, Reason> = made instanceof Error || 'reason' in made ? {} : made
  return {
    qid: digestOf([index, trace?.query.text ?? body]).slice(0, 16),
    index,
    outcome: reason === noSpare ? 'shed' : kind,
    reason: reason && plainReason(reason),
    ...(pages && changeIn(pages, words)),
    ...(trace && {
      decision: trace.kind,
      optimizedMs: rounded(trace.times.total),
      subQueries: trace.subQueries.length,
      asks: trace.steps.filter(({ type }) => type === 'ask').length,
      tokens: trace.tokens.prompt + trace.tokens.completion,
      usd: trace.usd,
      ...(words && { words: trace.query.text }),
    }),
  }
}

function changeIn({ before, after, titleOf }: Pages, words: boolean): Partial<ShadowSearch> {
  const shown = [before, after].map((hits) => hits.slice(0, comparedHits))
  const hasOneIndex = new Set(shown.flat().map(({ _index }) => _index)).size === 1
  const docidOf = ({ _index, _id }: JsonObject): string => (hasOneIndex ? `${_id}` : `${_index}/${_id}`)
  const [old, recent] = shown.map((hits) => hits.map(docidOf))
  const titles = shown.flat().map((hit) => [docidOf(hit), titleOf(hit)?.slice(0, longestTitle)])
  return {
    before: old!,
    after: recent!,
    ...listChange(old!, recent!),
    ...(words && { titles: Object.fromEntries(titles) }),
  }
}

/** Characters. */
const longestTitle = 200

const rounded = (value: number): number => Math.round(value * 1000) / 1000
