/** Searches that an engine could not finish since one of its nodes went away in the middle of them. */
import { fieldsOf } from './retry-after.ts'

/**
 * What engines call a node that went away. Elasticsearch 9 answers with 502 then, so that clients ask again
 * (`ConnectTransportException.status`); OpenSearch and versions before answer with 500.
 */
const types: ReadonlySet<unknown> = new Set([
  'connect_transport_exception',
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
])

/** Where an error of an engine has others in it. */
const within = ['error', 'root_cause', 'caused_by', 'failed_shards', 'reason'] as const

/** How far they are followed. */
const deepest = 10

/** Whether the body that came with an error says so, as a client's error, or an answer of ours, has it. */
export const isOfLeftNode = (error: unknown): boolean => bodiesOf(error).some((body) => says(body, types))

/**
 * Whether a node forgot a search between its two phases, since it left and came back (404). Contexts that callers keep, those
 * of scrolls and points in time, are missed before hits are fetched: they are gone for good.
 */
export const isOfForgottenSearch = (error: unknown): boolean =>
  bodiesOf(error).some((body) => fieldsOf(fieldsOf(body).error).phase === 'fetch' && says(body, forgotten))

const forgotten: ReadonlySet<unknown> = new Set(['search_context_missing_exception'])

function bodiesOf(error: unknown): readonly unknown[] {
  const { body, meta } = fieldsOf(error)
  return [body, fieldsOf(meta).body]
}

function says(value: unknown, types: ReadonlySet<unknown>, depth = 0): boolean {
  // What is no object has nothing in it: followed, its absent fields would be five more each time.
  if (depth > deepest || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((one) => says(one, types, depth + 1))
  const fields = fieldsOf(value)
  return types.has(fields.type) || within.some((key) => says(fields[key], types, depth + 1))
}
