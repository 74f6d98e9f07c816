/** What an index on a cluster has in fields. */
import { QuerentError } from '../../../src/errors.ts'
import type { FieldValues, ValuesWanted } from '../../../src/types.ts'
import { keptValues, valuesBody, valuesOf, valuesTimeout } from './aggregated-values.ts'
import type { CallOptions, Cluster } from './cluster.ts'

export interface ValuesRequest {
  readonly wanted: readonly ValuesWanted[]
  /** All filters: only documents that pass them are counted. */
  readonly filters: readonly object[]
  readonly call: CallOptions
  readonly querystring: Readonly<Record<string, string>>
}

/** @param path the indexes as part of a path */
export function clusterValues(
  engine: Cluster,
  path: string,
): (request: ValuesRequest, signal: AbortSignal) => Promise<readonly FieldValues[]> {
  const kept = keptValues()

  async function ask({ wanted, filters, call, querystring }: ValuesRequest): Promise<readonly FieldValues[]> {
    const { body } = await engine.send(
      {
        name: 'search',
        method: 'POST',
        path: `/${path}/_search`,
        querystring,
        body: valuesBody(wanted, filters),
      },
      { ...call, timeout: valuesTimeout, signal: AbortSignal.timeout(valuesTimeout) },
    )
    const values = valuesOf(wanted, body)
    if (values !== undefined) return values
    throw new QuerentError('retriever-failed', `The answer of ${path} has no aggregations`)
  }

  return (request, signal) => kept([request], () => ask(request), signal)
}
