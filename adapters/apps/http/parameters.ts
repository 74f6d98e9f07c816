/** Reads and checks the parameters of a search: from the URL, or from the JSON of the body. */
import { z } from 'zod'
import { queryLimit, turnRole } from '../../../src/config.ts'
import { isObject } from '../../../src/runtime/json.ts'
import type { GivenQuery, Query } from '../../../src/types.ts'
import { readJson } from './body.ts'
import { count, excluded, oneObject, queryText, wordsText } from './kinds.ts'
import { problem, problemResponse, type WrongPart } from './problem.ts'

/** The body of a search by POST. As in the URL, `q` may stand for `text`. */
export interface SearchParameters extends Pick<GivenQuery, 'text' | 'k' | 'history' | 'intent' | 'filter'> {
  /** Whether hits include their provenance, and the answer includes the trace. Default: false. */
  readonly explain?: boolean
  /** Whether a policy that answers questions writes an answer. Default: true. */
  readonly answer?: boolean
  /** Docids that are not returned, at most 1,000. Default: none. */
  readonly exclude?: readonly string[]
}

/** The checked parameters. */
export type AskedParameters = Pick<Query, 'text' | 'k' | 'history' | 'intent' | 'filter'> &
  Pick<SearchParameters, 'explain' | 'answer' | 'exclude'>

/** The names of the query's parameter. `q` is usual in a URL and `text` in a body; both are accepted in both. */
type WordsName = 'q' | 'text'

interface ParameterLimits {
  /** Maximum size of a body in bytes. */
  readonly limit: number
  /** The largest `k`. */
  readonly maxHits: number
  /** Whether the client may send a filter. */
  readonly filter: boolean
}

/** Maximum number of errors in an answer. */
const maxPlaces = 20

const once = z.string({
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be given once'),
})

/** What the parameters mean, for the reference of the endpoint. */
const meanings = {
  words: "The user's words, as plain text. `q` and `text` mean the same.",
  k: 'Number of hits.',
  history: 'The conversation before the query, oldest turn first.',
  intent: 'What the search is for. It is not searched.',
  exclude: 'Docids that are not returned; as many other hits take their place.',
  filter: 'In the language of the retriever.',
  explain: 'Whether hits have their provenance, and the answer has the trace.',
  answer: 'Whether a policy that answers questions writes an answer.',
  stream: 'Whether each stage of the search is sent as a line of JSON as soon as it is complete.',
}

const switches = { truthy: ['', '1', 'true'], falsy: ['0', 'false'] }

const flag = (description: string) =>
  once
    .pipe(z.stringbool({ ...switches, error: 'must be 1 or 0' }))
    .meta({ description, enum: [...switches.truthy, ...switches.falsy] })
    .optional()

/** The parameters of a search in the URL. The values are texts there. */
export const addressSchema = (words: WordsName, maxHits: number) =>
  z.object({
    [words]: once.max(...queryLimit).describe(meanings.words),
    k: once
      .transform(Number)
      .pipe(count(maxHits))
      .meta({ description: meanings.k, type: 'integer', minimum: 1, maximum: maxHits })
      .optional(),
    explain: flag(meanings.explain),
    answer: flag(meanings.answer),
  })

/** The parameter in the URL that asks for a stream. */
export const streamSchema = z.object({ stream: flag(meanings.stream) })

/** The body of a search by POST. */
export const bodySchema = (words: WordsName, { maxHits, filter }: Omit<ParameterLimits, 'limit'>) =>
  z.strictObject(
    {
      [words]: queryText.describe(meanings.words),
      k: count(maxHits).describe(meanings.k).nullish(),
      history: z
        .array(
          z.strictObject(
            { role: turnRole, text: wordsText },
            {
              error: ({ code }) =>
                code === 'invalid_type' ? 'must be a turn of the conversation' : undefined,
            },
          ),
          'must be a list of turns',
        )
        .describe(meanings.history)
        .nullish(),
      intent: wordsText.describe(meanings.intent).nullish(),
      exclude: excluded.describe(meanings.exclude).nullish(),
      filter: (filter ? z.unknown() : z.never('is not taken here')).describe(meanings.filter).nullish(),
      explain: z.boolean('must be true or false').describe(meanings.explain).nullish(),
      answer: z.boolean('must be true or false').describe(meanings.answer).nullish(),
    },
    oneObject,
  )

/** Reads the parameters of a GET or HEAD from the URL, of a POST from the body. @throws Response 400, 413 or 415 */
export async function readParameters(request: Request, limits: ParameterLimits): Promise<AskedParameters> {
  if (request.method === 'POST') {
    const body = await readJson(request, limits.limit)
    const { words, given } = wordsOf(withoutNulls(body), 'text', inBody)
    return withText(words, parsed(bodySchema(words, limits), given, inBody))
  }
  const inUrl = parametersOf(request, ['q', 'text', 'k', 'explain', 'answer'])
  const { words, given } = wordsOf(inUrl, 'q', inAddress)
  return withText(words, parsed(addressSchema(words, limits.maxHits), given, inAddress))
}

/** `null` is the same as nothing. */
const withoutNulls = (body: unknown): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) : body

/**
 * Returns the name that the query came under, and the parameters with only that name.
 * @throws Response 400 if it came under both names and they differ
 */
function wordsOf(
  given: unknown,
  usual: WordsName,
  placeOf: WrongPartOf,
): { readonly words: WordsName; readonly given: unknown } {
  const other = usual === 'q' ? 'text' : 'q'
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, other))
    return { words: usual, given }
  if (!Object.hasOwn(given, usual)) return { words: other, given }
  const { [other]: same, ...rest } = given as Readonly<Record<string, unknown>>
  if (same === rest[usual]) return { words: usual, given: rest }
  const detail = `is not what ${usual} says: give one of them`
  throw problemResponse(
    problem('bad-request', `${usual} and ${other} differ: give one of them`, [placeOf([other], detail)]),
  )
}

const withText = (
  words: WordsName,
  { [words]: text, ...others }: Readonly<Record<string, unknown>>,
): AskedParameters => ({ text, ...others }) as AskedParameters

/**
 * Whether the client wants a stream of the stages: from `stream` in the URL, else from the header `accept`.
 * @throws Response 400
 */
export function wantsStream(request: Request): boolean {
  const { stream } = parsed(streamSchema, parametersOf(request, ['stream']), inAddress)
  if (stream !== undefined) return stream
  const accepted = (request.headers.get('accept') ?? '').toLowerCase().split(',')
  const weightOf = (type: string): number => {
    const [, ...parameters] = accepted
      .map((range) => range.split(';').map((part) => part.trim()))
      .find(([name]) => name === type) ?? ['', 'q=0']
    return Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
  }
  const weight = weightOf('application/x-ndjson')
  return weight > 0 && weight >= weightOf('application/json')
}

/** Reads only these parameters, because the application may have others in the URL. */
function parametersOf({ url }: Request, names: readonly string[]): Record<string, string | string[]> {
  const { searchParams } = new URL(url)
  const all = names.map((name) => [name, searchParams.getAll(name)] as const)
  return Object.fromEntries(
    all.flatMap(([name, values]) =>
      values.length === 0 ? [] : [[name, values.length === 1 ? values[0]! : values]],
    ),
  )
}

type WrongPartOf = (path: readonly PropertyKey[], detail: string) => WrongPart

/** Parses with a schema. @throws Response 400 that names every wrong place */
export function parsed<T>(schema: z.ZodType<T>, value: unknown, placeOf: WrongPartOf): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const places = error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => placeOf([...issue.path, key], 'is not a parameter'))
        : [placeOf(issue.path, issue.message)],
    )
    .slice(0, maxPlaces)
  const details = places.map(
    (place) => `${'pointer' in place ? place.pointer : place.parameter} ${place.detail}`,
  )
  throw problemResponse(problem('bad-request', details.join('; '), places))
}

const inAddress = ([name]: readonly PropertyKey[], detail: string): WrongPart => ({
  parameter: String(name),
  detail,
})

/** A JSON pointer (RFC 6901) as a URL fragment. */
export const inBody = (path: readonly PropertyKey[], detail: string): WrongPart => ({
  pointer: [
    '#',
    ...path.map((key) =>
      encodeURIComponent(
        String(key)
          .replace(/\p{Surrogate}/gu, '\ufffd')
          .replaceAll('~', '~0')
          .replaceAll('/', '~1'),
      ),
    ),
  ].join('/'),
  detail,
})
