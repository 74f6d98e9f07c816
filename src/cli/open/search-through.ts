/** Searches a cluster, or a proxy in front of it, as an application does: with its own body, and a request for each query. */
import { AnswerError } from '../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { isObject, numberOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import { QuerentError } from '../../errors.ts'
import type { Search } from '../../evaluation/evaluate.ts'
import { type SearchOutcome, said } from '../../observe.ts'
import { jsonOf } from '../../runtime/json.ts'
import type { Hit, Query, SearchResult, Step, Trace } from '../../types.ts'
import { readText } from '../settings/config-file.ts'
import type { TargetClient } from './ask-target.ts'
import { fieldsOf } from './text-fields.ts'

/** The body of an application's searches. */
export interface SearchBody {
  /** JSON with `{query}` where the application writes the words, or `{{query}}` where it leaves them to Querent. */
  readonly json: string
  /** How many hits it asks for. */
  readonly size: number
}

/** The engines' default for `size`. */
const defaultSize = 10

/** Where words go. Of two braces, the proxy fills in what the header says. */
const [place, slot] = [/(?<!\{)\{query\}(?!\})/g, '{{query}}']

/**
 * Reads the body of a file. Without a file, it is a search of all text fields of the index.
 *
 * @throws QuerentError `missing-file`; `bad-file` for a body that is not JSON, or has no place for the words; `bad-config` for an
 *   index that there is not, or that has no texts
 */
export async function readSearchBody(
  path: string | undefined,
  target: TargetClient,
  index: string,
): Promise<SearchBody> {
  const { text: fields } = await fieldsOf(target, index)
  if (path === undefined) {
    if (fields.length > 0)
      return {
        json: JSON.stringify({ query: { multi_match: { query: '{query}', fields } } }),
        size: defaultSize,
      }
    throw new QuerentError('bad-config', `No field of ${index} holds text`, {
      remedy: 'Check --name, or say what to search: --body.',
    })
  }
  const json = await readText(path, 'The body')
  const body = jsonOf(json)
  if (isObject(body) && json.includes('{query}')) return { json, size: numberOf(body.size) ?? defaultSize }
  throw new QuerentError('bad-file', `${path} is not the body of a search with {query} in it`, {
    remedy: 'Write the JSON that your application sends, with {query} where it puts the words.',
  })
}

/** What is read of an answer. The last part is Querent's own, where it was asked to explain. */
interface Answer {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly _score: number | null }[] }
  readonly _querent?: Partial<Pick<Trace, 'policy' | 'reason' | 'subQueries' | 'partial' | 'times'>> & {
    readonly outcome?: SearchOutcome
    readonly decision?: Trace['kind']
  }
}

/** What Querent says that became of a search, as the header `x-querent` has it. */
export type Told = (outcome: string) => void

/**
 * Searches by the body. More hits are asked for than the body does if a query wants more.
 *
 * @param optimizes whether the proxy may optimize; a cluster does not care
 * @returns a search that rejects with the engine's error, or `unavailable` if there is no answer
 */
export function searchThrough(
  { post }: TargetClient,
  index: string,
  { json, size }: SearchBody,
  optimizes: boolean,
  told: Told,
): Search {
  const path = `/${encodeURIComponent(index)}/_search`
  return async (query, { signal = new AbortController().signal }) => {
    const { text, history = [], k = size } = query
    const start = performance.now()
    const answer = await post(
      k === size ? path : `${path}?size=${k}`,
      json.replaceAll(place, () => JSON.stringify(text).slice(1, -1)),
      {
        ...(json.includes(slot) && { 'x-querent-query': encodeURIComponent(text) }),
        ...(history.length > 0 && { 'x-querent-history': encodeURIComponent(JSON.stringify(history)) }),
        ...(optimizes ? { 'x-querent-explain': 'true' } : { 'x-querent-optimize': 'false' }),
      },
      signal,
    )
    const ms = performance.now() - start
    if (answer.status >= 400 || !isObject(answer.body) || !isObject(answer.body.hits))
      throw new AnswerError(answer)
    const outcome = isObject(answer.headers) ? answer.headers['x-querent'] : undefined
    if (typeof outcome === 'string') told(outcome)
    return resultOf(query, answer.body as unknown as Answer, ms)
  }
}

/** The hits of an answer, and of what Querent did what it says. */
function resultOf(query: Query, { hits: { hits: list }, _querent: own }: Answer, ms: number): SearchResult {
  const hits = list.map(({ _id, _score }, at): Hit => ({ docid: _id, score: _score ?? 0, rank: at + 1 }))
  const { outcome, subQueries = [{ text: query.text, round: 0 }], times } = own ?? {}
  const steps = [...new Set(subQueries.map(({ round }) => round))].map(
    (round): Step => ({ type: 'retrieve', round, subQueries, startMs: 0, ms: 0, legs: [] }),
  )
  const none = { deciding: 0, retrieving: 0, fusing: 0, reranking: 0 }
  const trace: Trace = {
    ...{ version: 2, query, policy: own?.policy ?? 'none', kind: own?.decision ?? 'as-is' },
    ...{ reason: own?.reason ?? '', subQueries, partial: own?.partial ?? false, steps },
    ...(outcome?.kind === 'failed' && { fallback: { code: outcome.kind, message: said(outcome) } }),
    times: { ...none, ...times, total: ms },
    tokens: { prompt: 0, completion: 0 },
    outcome: { hits },
  }
  return { hits, trace }
}
