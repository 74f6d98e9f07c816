/**
 * The optimized search that is made although the caller has the engine's own answer. It begins after that, ends at a deadline of its
 * own, and comes to a line of a log.
 */
import { toError } from '../../../../src/errors.ts'
import { passedThrough } from '../../../../src/observe.ts'
import { plainReason } from '../../../../src/plain-reason.ts'
import { appendLines } from '../../../../src/runtime/appended-lines.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { type Deadline, openDeadline } from '../../../../src/runtime/deadline.ts'
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

interface Beside {
  /** The searches of the request. */
  readonly calls: readonly SearchCall[]
  readonly engine: RequestEngine
  /** Milliseconds until the caller had the engine's answer, and those that the optimized searches have. */
  readonly engineMs: number
  readonly timeout: number
  /** Optimizes them. The reason if none of them can be. */
  make(engine: RequestEngine, signal: AbortSignal): Promise<{ readonly optimized: readonly Made[] } | Reason>
}

export interface Shadow {
  /** Optimizes the searches of a request, and logs what that would have changed. Nobody waits for it. */
  begin(beside: Beside): void
  /** Ends what is under way, and then the log. */
  close(): Promise<void>
}

/** @throws QuerentError `write-failed` if the log cannot be opened */
export async function openShadow({
  log = 'querent-shadow.jsonl',
  words = false,
}: ShadowOptions): Promise<Shadow> {
  const lines = await appendLines(log)
  const running = new Map<Deadline, Promise<void>>()

  async function run({ calls, engine, engineMs, make }: Beside, { signal, cancel }: Deadline): Promise<void> {
    let requests = 0
    const count = <Given extends readonly unknown[], Result>(send: (...given: Given) => Result) => {
      return (...given: Given): Result => {
        requests++
        return send(...given)
      }
    }
    const { send, msearch, fieldCaps } = engine
    const counted = { send: count(send), msearch: count(msearch), fieldCaps: count(fieldCaps) }
    const made = await make(counted, signal)
      .catch(toError)
      .finally(() => cancel())
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
      const deadline = openDeadline(systemClock, { ms: beside.timeout, what: 'The search for the log' })
      const ended = run(beside, deadline)
        .catch(() => {})
        .finally(() => running.delete(deadline))
      running.set(deadline, ended)
    },
    async close() {
      for (const { cancel } of running.keys()) cancel()
      await Promise.all(running.values())
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
