/** An engine that keeps what it is sent and answers what a test says. */
import type { CallOptions, Cluster, ClusterRequest } from '../../../../adapters/search/cluster/cluster.ts'
import { partError } from '../../../../adapters/search/cluster/part-error.ts'

export interface ScriptedEngine extends Cluster {
  readonly sent: { readonly request: ClusterRequest; readonly call: CallOptions }[]
  /** The searches of the last request, each with its header. */
  searches(): readonly { readonly header: object; readonly body: Readonly<Record<string, unknown>> }[]
}

/** By default nothing is found. */
export function scriptedEngine(answer?: (searches: number) => unknown): ScriptedEngine {
  const sent: ScriptedEngine['sent'] = []
  const nothing = (searches: number): unknown => ({
    responses: Array.from({ length: searches }, () => ({ hits: { hits: [] } })),
  })
  return {
    kind: 'elasticsearch',
    sent,
    async send(request, call = {}) {
      sent.push({ request, call })
      return { body: (answer ?? nothing)((request.lines?.length ?? 0) / 2) }
    },
    searches() {
      const lines = sent.at(-1)!.request.lines!
      return Array.from({ length: lines.length / 2 }, (_, at) => ({
        header: lines[2 * at]!,
        body: lines[2 * at + 1] as Readonly<Record<string, unknown>>,
      }))
    },
    errorOf: (_, part) => partError(part),
    weighted: (field, weights) => ({ weighted: { field, weights } }),
    weighedByCluster: (text) => ({ weighedByCluster: text }),
    nearest: (neighbors) => ({ query: { nearest: neighbors } }),
    vectors: () => ({ field: {}, settings: {} }),
    write: async () => {},
    close: async () => {},
  }
}
