/** How to connect to a cluster: with an existing client, or by URL. */
import { z } from 'zod'
import { having, parseConfig } from '../../../src/config.ts'
import { type ClientParts, clientCluster, type EngineClient } from './client.ts'
import type { Cluster } from './cluster.ts'
import { clusterUrl } from './options.ts'

export interface Connection {
  /** The application's own client. The retriever does not close it. */
  readonly client?: EngineClient | undefined
  /** A node of the cluster, or several. May contain credentials. */
  readonly url?: string | readonly string[] | undefined
  readonly auth?:
    | { readonly apiKey: string }
    | { readonly username: string; readonly password: string }
    | undefined
  /** Certificates (PEM) of the authority that signed the cluster's certificate. Default: those that Node trusts. */
  readonly ca?: string | undefined
}

const text = z.string().min(1)

const connectionSchema = z
  .strictObject({
    client: having<EngineClient>('a client', 'close')
      .refine(({ transport, helpers }) => transport !== undefined && helpers !== undefined, 'is no client')
      .optional(),
    url: z.union([clusterUrl, z.array(clusterUrl).min(1)], 'expected an http(s) URL, or several').optional(),
    auth: z
      .union([z.strictObject({ apiKey: text }), z.strictObject({ username: text, password: text })])
      .optional(),
    ca: text.optional(),
  })
  .refine(({ client, url }) => (client === undefined) !== (url === undefined), 'give `client` or `url`')
  .refine(
    ({ client, auth, ca }) => client === undefined || (auth === undefined && ca === undefined),
    'a `client` has its own `auth` and `ca`',
  )

/** How to make the client of an engine, if the application gives none. */
type OpenClient = (
  nodes: string[],
  given: Pick<Connection, 'auth' | 'ca'>,
) => Promise<Pick<ClientParts, 'client' | 'ResponseError'>>

/** @throws QuerentError `bad-config` for the connection; what `open` rejects with */
export async function connectCluster(
  engine: Pick<ClientParts, 'kind' | 'dialect'>,
  connection: Connection,
  open: OpenClient,
): Promise<Cluster> {
  const { client, url, auth, ca } = parseConfig(connectionSchema, connection, engine.kind)
  if (client !== undefined) return clientCluster({ ...engine, client, owned: false })
  return clientCluster({ ...engine, ...(await open([url!].flat(), { auth, ca })), owned: true })
}
