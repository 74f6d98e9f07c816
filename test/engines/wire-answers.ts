/** What a real engine says to searches that were recorded on their way to it: by the words that each of them has. */
import type { JsonObject } from '../../adapters/apps/drop-in/parse/json.ts'
import { valuesOf } from '../support/raw-http.ts'
import type { RecordedRequest } from '../support/recording-server.ts'

/** How long a search may take stands in it, and differs. */
const time = /"timeout":"\d+ms",?/g

const known = new Map<string, Promise<JsonObject>>()

/** The words of each search → the engine's answer to that very search, errors included. */
export async function wireAnswers(
  engine: string,
  requests: readonly RecordedRequest[],
): Promise<ReadonlyMap<string, JsonObject>> {
  const answers = await Promise.all(requests.map((request) => answersOf(engine, request)))
  return new Map(answers.flat())
}

async function answersOf(
  engine: string,
  request: RecordedRequest,
): Promise<readonly (readonly [string, JsonObject])[]> {
  const answer = await askedOnce(engine, request)
  const text = String(request.body)
  if (!request.path.includes('_msearch')) return [[wordsOf(text), answer]]
  const bodies = text
    .trim()
    .split('\n')
    .filter((_, place) => place % 2 === 1)
  const responses = answer.responses as readonly JsonObject[]
  return bodies.map((body, place) => [wordsOf(body), responses[place]!] as const)
}

function askedOnce(engine: string, { method, path, headers, body }: RecordedRequest): Promise<JsonObject> {
  const text = String(body)
  const key = [engine, path, text.replace(time, '')].join('\n')
  let answer = known.get(key)
  if (answer === undefined) {
    const types = ['content-type', 'accept'].flatMap((name) =>
      valuesOf(headers, name).map((value): [string, string] => [name, value]),
    )
    answer = fetch(engine + path, { method, body: text, headers: types }).then(
      async (response) => (await response.json()) as JsonObject,
    )
    known.set(key, answer)
  }
  return answer
}

/** The words in the `multi_match` of a body. */
function wordsOf(body: string): string {
  let words: string | undefined
  JSON.parse(body, (key, value: unknown) => {
    if (key === 'multi_match') words = (value as { readonly query: string }).query
    return value
  })
  if (words === undefined) throw new Error(`There are no words in ${body}`)
  return words
}
