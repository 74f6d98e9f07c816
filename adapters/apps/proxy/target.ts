/** Where the proxy sends what it gets: one origin, its connections and its certificates. */
import { type Dispatcher, Pool } from 'undici'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { type SignOptions, signing } from './sign.ts'

export interface TargetOptions {
  /** `http://host:9200`, or `https://…`, with a path before all paths where the engine has one. */
  readonly target: string
  /** The certificates of those who may sign the target’s, in PEM. Default: the ones that Node trusts. */
  readonly ca?: string | undefined
  /** Whether the target’s certificate is checked. Default: true. */
  readonly rejectUnauthorized?: boolean | undefined
  /** Connections to the target, kept open between requests. Default: 256. */
  readonly connections?: number | undefined
  /** Milliseconds until a connection must stand. Default: 10,000. */
  readonly connectTimeout?: number | undefined
  /**
   * Signs every request to the target (AWS Signature Version 4): whoever reaches the proxy has the rights of these
   * credentials. Needs `@smithy/signature-v4`. Default: nothing is signed.
   */
  readonly sign?: SignOptions | undefined
}

export interface Target {
  /** Its requests are signed where that was asked for. */
  readonly pool: Dispatcher
  readonly origin: string
  readonly signs: boolean
  /** The path of a request, behind the target’s own. */
  pathOf(url: string): string
  /**
   * The headers that the target gets. Over TLS the host is its own, since certificates and hosted clusters go by it;
   * otherwise it stays the caller’s.
   */
  headersFor(headers: readonly string[]): string[]
}

const schema = z.strictObject({
  target: z.url({ protocol: /^https?$/, error: 'must be an address with http:// or https://' }),
  ca: z.string().optional(),
  rejectUnauthorized: z.boolean().default(true),
  connections: z.int().positive().default(256),
  connectTimeout: z.number().positive().default(10_000),
  sign: z
    .custom<SignOptions>((value) => typeof value === 'object' && value !== null, 'must be an object')
    .optional(),
})

/** @throws QuerentError `bad-config` that names the wrong option; `missing-package` */
export async function openTarget(options: TargetOptions): Promise<Target> {
  const { target, ca, rejectUnauthorized, connections, connectTimeout, sign } = parseConfig(
    schema,
    options,
    'proxy',
  )
  const url = new URL(target)
  const before = url.pathname.replace(/\/$/, '')
  const signer = sign && (await signing(sign, url.host))
  const pool = new Pool(url.origin, {
    connections,
    pipelining: 1,
    // The caller waits for the engine as long as it likes: some requests take hours.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeout, rejectUnauthorized, ...(ca !== undefined && { ca }) },
  })
  const ownHost = url.protocol === 'https:' ? url.host : undefined
  return {
    pool: signer === undefined ? pool : pool.compose(signer),
    origin: url.origin,
    signs: signer !== undefined,
    pathOf: (path) => before + path,
    headersFor(headers) {
      if (ownHost === undefined) return [...headers]
      return headers.map((value, place) =>
        place % 2 === 1 && headers[place - 1]!.toLowerCase() === 'host' ? ownHost : value,
      )
    },
  }
}
