/** How to connect to a cluster: with an existing client, or by URL. */
import { z } from 'zod'
import { having } from '../../../src/config.ts'
import type { EngineClient } from './client.ts'

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

/** The URL of a node. */
export const clusterUrl = z.string().refine((text) => {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}, 'expected an http(s) URL')

const text = z.string().min(1)

export const connectionSchema = z
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
