/**
 * Sorts the URL parameters of a search: those for a leg's header, those for its body, those that only shape the answer, and those
 * that fusion cannot keep.
 */
import { isObject, type JsonObject, listOf, namesIn, only, quoted } from './json.ts'

/** Why a search with `scroll` passes through. */
export const scrolls = 'it is read in batches (`scroll`)'

/**
 * Where a parameter belongs: into the header line of a leg in `_msearch`, into its body, or only to the answer to the caller and to
 * how the cluster executes the search.
 */
const kinds = {
  header: `
    routing preference ignore_unavailable ignore_throttled allow_no_indices expand_wildcards search_type
    request_cache allow_partial_search_results ccs_minimize_roundtrips cancel_after_time_interval
    project_routing`,
  // In engines, they override the body's own.
  body: `
    from size timeout terminate_after version seq_no_primary_term stored_fields docvalue_fields track_scores
    track_total_hits explain stats sort search_pipeline`,
  answer: `
    rest_total_hits_as_int typed_keys filter_path pretty human error_trace batched_reduce_size
    max_concurrent_shard_requests pre_filter_shard_size phase_took format`,
  source: '_source _source_includes _source_excludes _source_exclude_vectors',
  // `q` and what belongs to it.
  syntax: 'q df analyzer analyze_wildcard default_operator lenient',
}

const kindOf: ReadonlyMap<string, string> = new Map(
  Object.entries(kinds).flatMap(([kind, names]) => namesIn(names).map((name) => [name, kind] as const)),
)

/** The names in a `query_string` of what is called otherwise in a URL. */
const inSyntax: Readonly<Record<string, string>> = { q: 'query', df: 'default_field' }

/** Switches that engines ignore if they are empty. All other empty switches are on. */
const notWhenEmpty = new Set(['explain', 'version', 'seq_no_primary_term'])

/** The sorted parameters. */
export interface Parameters {
  /** For the header line of each leg. */
  readonly header: JsonObject
  /** Parameters that are laid over the body. */
  readonly body: JsonObject
  /** Parameters that stay in the URL if the body takes the others. */
  readonly url: JsonObject
}

/** Sorts the parameters of a search. Values are strings from a URL, or whatever the caller of a client passed. */
export function readParameters(parameters: JsonObject): Parameters | { readonly reason: string } {
  const header: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}
  const url: Record<string, unknown> = {}
  const syntax: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null || (value === '' && notWhenEmpty.has(name))) continue
    const kind = kindOf.get(name)
    if (name === 'scroll') return { reason: scrolls }
    if (name === 'format' && value !== 'json')
      return { reason: `its format is ${quoted(value)}, and not JSON` }
    if (kind === undefined) return { reason: `Querent does not know its parameter ${quoted(name)}` }
    // Fusion needs the whole answer. `filter_path` is applied at the end.
    if (kind === 'header' || (kind === 'answer' && name !== 'filter_path')) url[name] = value
    if (kind === 'header') header[name] = switchOf(value)
    if (kind === 'body') body[name] = bodyValue(name, value)
    if (kind === 'syntax') syntax[inSyntax[name] ?? name] = switchOf(value)
  }
  const source = sourceOf(parameters)
  // Without `q`, the other parameters have no effect.
  const query = syntax.query === undefined ? undefined : { query_string: { ...syntax, query: parameters.q } }
  return {
    header,
    url,
    body: { ...body, ...(source !== undefined && { _source: source }), ...(query && { query }) },
  }
}

/** The URL's `_source` parameters as a value for `_source` in the body, which they replace. Undefined if the URL has none. */
function sourceOf(parameters: JsonObject): unknown {
  const {
    _source,
    _source_includes,
    _source_excludes: excludes,
    _source_exclude_vectors: vectors,
  } = parameters
  const source = _source === undefined ? undefined : switchOf(_source)
  const includes = _source_includes ?? (typeof source === 'boolean' ? undefined : source)
  if (source === false || [includes, excludes, vectors].every((one) => one === undefined)) return source
  return {
    ...(includes !== undefined && { includes: listIn(includes) }),
    ...(excludes !== undefined && { excludes: listIn(excludes) }),
    ...(vectors !== undefined && { exclude_vectors: switchOf(vectors) }),
  }
}

/** Parameters that engines append to the body's list. The others replace the body's value. */
const added = ['sort', 'docvalue_fields']

/** The body with the URL's parameters. */
export function withParameters(body: JsonObject, ofUrl: JsonObject): JsonObject {
  if (Object.keys(ofUrl).length === 0) return body
  const both = added.filter((name) => ofUrl[name] !== undefined && body[name] !== undefined)
  const sums = both.map((name) => [name, [...listOf(body[name]), ...listOf(ofUrl[name])]] as const)
  return { ...body, ...ofUrl, ...Object.fromEntries(sums) }
}

const lists = new Set(['stored_fields', 'docvalue_fields', 'stats'])
const numbers = new Set(['from', 'size', 'terminate_after'])

function bodyValue(name: string, value: unknown): unknown {
  // A client takes a list, too, and joins it with commas.
  if (name === 'sort') return listOf(value).flatMap((keys) => listOf(listIn(keys)).flatMap(sortKey))
  if (typeof value !== 'string') return value
  if (lists.has(name)) return listIn(value)
  if (numbers.has(name) || (name === 'track_total_hits' && /^-?\d+$/.test(value))) return Number(value)
  return switchOf(value)
}

function listIn(value: unknown): unknown {
  if (value === '') return []
  return typeof value === 'string' ? value.split(',') : value
}

/**
 * A key of a URL's sort as a body has it. In a body, a string is a field's name and nothing else: engines look for a field
 * `_score:desc`. As engines do, ignores a key with any other direction than `asc` and `desc`.
 */
function sortKey(key: unknown): readonly unknown[] {
  if (typeof key !== 'string') return [key]
  const colon = key.lastIndexOf(':')
  if (colon < 0) return [key]
  const order = key.slice(colon + 1)
  return order === 'asc' || order === 'desc' ? [{ [key.slice(0, colon)]: { order } }] : []
}

/** Reads a switch. Engines read an empty string as true: `?explain`. */
function switchOf(value: unknown): unknown {
  if (value === '' || value === 'true') return true
  return value === 'false' ? false : value
}

/** Whether a switch of the URL is on. */
export const isOn = (value: unknown): boolean => switchOf(value) === true

/** Parameters of an `_msearch` that apply to each of its searches, unless the search's header line overrides them. */
const ofEach = namesIn(`
  routing search_type ccs_minimize_roundtrips ignore_unavailable ignore_throttled allow_no_indices
  expand_wildcards rest_total_hits_as_int typed_keys`)

/** The parameters of an `_msearch` that apply to each of its searches. */
export const parametersOfEach = (parameters: JsonObject): JsonObject => only(parameters, ...ofEach)

/** An index or a list of indices as one string. Undefined for all indices. */
export function indexText(index: unknown): string | undefined {
  if (index === undefined || index === null || index === '') return undefined
  return isObject(index) ? undefined : String(index)
}

/** The patterns of a `filter_path`, each once. */
export function filtersIn(filter: unknown): string[] {
  const parts = listOf(filter ?? []).flatMap((part) => String(part).split(','))
  return [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))]
}
