/** Recognizes searches that failed because the engine lost a node while it searched. */
import { fieldsOf } from './retry-after.ts'

/**
 * The errors of a lost node. Elasticsearch 9 answers with 502, which clients retry (`ConnectTransportException.status`);
 * OpenSearch and earlier versions answer with 500.
 */
const types: ReadonlySet<unknown> = new Set([
  'connect_transport_exception',
  'node_closed_exception',
  'node_disconnected_exception',
  'node_not_connected_exception',
])

/** The fields in which an engine's error nests other errors. */
const nestingFields = ['error', 'root_cause', 'caused_by', 'failed_shards', 'reason'] as const

const maxDepth = 10

/** Whether the body of an error response, in the error of a client or in `body`, names a lost node. */
export const isNodeLoss = (error: unknown): boolean => bodiesOf(error).some((body) => hasType(body, types))

/**
 * Whether a node restarted between the two phases of a search and forgot it (404). A context that a caller keeps, such as a
 * scroll or a point in time, is missing before the fetch phase, and is gone for good.
 */
export const isForgottenSearch = (error: unknown): boolean =>
  bodiesOf(error).some((body) => fieldsOf(fieldsOf(body).error).phase === 'fetch' && hasType(body, forgotten))

const forgotten: ReadonlySet<unknown> = new Set(['search_context_missing_exception'])

function bodiesOf(error: unknown): readonly unknown[] {
  const { body, meta } = fieldsOf(error)
  return [body, fieldsOf(meta).body]
}

/** Whether an error, or an error nested in it, has one of these types. */
function hasType(value: unknown, types: ReadonlySet<unknown>, depth = 0): boolean {
  if (depth > maxDepth || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => hasType(item, types, depth + 1))
  const fields = fieldsOf(value)
  return types.has(fields.type) || nestingFields.some((name) => hasType(fields[name], types, depth + 1))
}
