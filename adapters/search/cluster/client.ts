/** A `Cluster` on either official client, by the API that both share. */
import { QuerentError } from '../../../src/errors.ts'
import { untilAborted } from '../../../src/runtime/deadline.ts'
import type { Cluster, ClusterAnswer, Dialect, EngineKind } from './cluster.ts'
import { partError } from './part-error.ts'

/** The part of a client that Querent uses. Both clients have it, and so do their wrapped and child clients. */
export interface EngineClient {
  readonly transport: {
    request(
      params: {
        method: string
        path: string
        querystring?: Record<string, string>
        body?: Record<string, unknown>
        bulkBody?: Record<string, unknown>[]
        meta?: { name: string }
      },
      options: {
        meta: true
        headers?: Record<string, string>
        signal?: AbortSignal
        requestTimeout?: number
        maxRetries?: number
      },
    ): Promise<ClusterAnswer>
  }
  readonly helpers: {
    bulk(options: {
      datasource: object[]
      onDocument: () => { index: { _index: string; _id: string } }
      onDrop: (dropped: Refused) => void
      retries: number
      wait: number
    }): PromiseLike<unknown> & { abort(): unknown }
  }
  close(): Promise<unknown>
}

interface Refused {
  readonly error?: unknown
  readonly operation?: unknown
}

export interface ClientParts {
  readonly kind: EngineKind
  readonly client: EngineClient
  readonly dialect: Dialect
  /** Whether to close the client with the cluster. */
  readonly owned: boolean
  /** The client's class for errors, if Querent loaded its package. */
  readonly ResponseError?: (new (answer: never) => Error) | undefined
}

/** An engine's full queues empty within seconds. A refused document is sent again this often, this many milliseconds apart. */
const writing = { retries: 5, wait: 1000 }

/**
 * Milliseconds that the client waits longer than the caller. So the signal ends a late request, not the client's timeout, after
 * which the client would treat the node as dead.
 */
const patience = 1000

export function clientCluster({ kind, client, dialect, owned, ResponseError }: ClientParts): Cluster {
  let open = true
  return {
    kind,
    ...dialect,

    async send({ name, lines, method, path, querystring, body }, call = {}) {
      const { headers, signal, timeout, retries } = call
      signal?.throwIfAborted()
      // The client gets a separate signal. Clients dispatch events on their signal. They take an abort with a reason for a broken
      // connection, and treat the node as dead.
      const stop = new AbortController()
      const request = client.transport.request(
        {
          method,
          path,
          meta: { name },
          ...(querystring && { querystring: { ...querystring } }),
          ...(body && { body: { ...body } }),
          ...(lines && { bulkBody: lines.map((line) => ({ ...line })) }),
        },
        {
          meta: true,
          signal: stop.signal,
          ...(headers && { headers: { ...headers } }),
          ...(timeout !== undefined && { requestTimeout: timeout + (signal === undefined ? 0 : patience) }),
          ...(retries !== undefined && { maxRetries: retries }),
        },
      )
      if (signal === undefined) return request
      const end = (): void => {
        stop.abort()
        // OpenSearch's client ignores signals. Its requests have an `abort` instead.
        if ('abort' in request && typeof request.abort === 'function') request.abort()
      }
      signal.addEventListener('abort', end, { once: true })
      return untilAborted(request, signal).finally(() => signal.removeEventListener('abort', end))
    },

    errorOf(answer, part) {
      return ResponseError === undefined
        ? partError(part)
        : new ResponseError({ ...answer, body: part } as never)
    },

    async write(index, documents, signal) {
      const refused: Refused[] = []
      let place = 0
      const bulk = client.helpers.bulk({
        ...writing,
        datasource: documents.map(({ source }) => source),
        onDocument: () => ({ index: { _index: index, _id: documents[place++]!.id } }),
        onDrop: (dropped) => refused.push(dropped),
      })
      const end = (): unknown => bulk.abort()
      signal?.addEventListener('abort', end, { once: true })
      try {
        await bulk
      } finally {
        signal?.removeEventListener('abort', end)
      }
      signal?.throwIfAborted()
      if (refused.length > 0) throw refusal(index, refused, documents.length)
    },

    async close() {
      if (owned && open) await client.close()
      open = false
    },
  }
}

function refusal(index: string, refused: readonly Refused[], sent: number): QuerentError {
  const { error, operation } = refused[0]!
  const id = (operation as { readonly index?: { readonly _id?: unknown } } | undefined)?.index?._id
  const what = `${index} refused ${refused.length} of the ${sent} documents that were sent, the first is ${JSON.stringify(id)}`
  return new QuerentError('retriever-failed', what, { cause: partError({ error, status: 400 }) })
}
