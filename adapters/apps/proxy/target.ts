/** The target of the proxy: one origin, its connections and its certificates. */
import { type Dispatcher, Pool } from 'undici'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { type SignOptions, signing } from './sign.ts'

export interface TargetOptions {
  /**
   * `http://host:9200`, or `https://…`. May include a path, which is put before the path of each request. Must not contain
   * credentials: each caller sends its own.
   */
  readonly target: string
  /** The certificates (PEM) of the authorities that may sign the target's certificate. Default: those that Node trusts. */
  readonly ca?: string | undefined
  /** Whether to check the target's certificate. Default: true. */
  readonly rejectUnauthorized?: boolean | undefined
  /** Maximum number of connections to the target. They stay open between requests. Default: 256. */
  readonly connections?: number | undefined
  /** Milliseconds to open a connection. Default: 10,000. */
  readonly connectTimeout?: number | undefined
  /**
   * Signs every request to the target (AWS Signature Version 4). Everyone who can reach the proxy then has the rights of these
   * credentials. Needs `@smithy/signature-v4`. Default: requests are not signed.
   */
  readonly sign?: SignOptions | undefined
}

export interface Target {
  /** Signs the requests, if the options ask for it. */
  readonly pool: Dispatcher
  /** A connection outside the pool, to check the target even if all connections of the pool are busy. */
  readonly probe: Dispatcher
  readonly origin: string
  readonly signs: boolean
  /** The path of a request on the target, with the target's own path before it. */
  pathOf(url: string): string
  /**
   * The headers for the target. Over TLS and in signed requests `host` is the target's, because certificates, hosted clusters and
   * signatures depend on it. Otherwise it stays the caller's.
   */
  headersFor(headers: readonly string[]): string[]
  /** Closes all connections, even those in use. */
  close(): Promise<void>
}

/** The messages never repeat the address, which may contain a password. */
const address = z
  .url({ protocol: /^https?$/, error: 'must be an address with http:// or https://', abort: true })
  .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
    error:
      'must be without credentials: whoever reaches the proxy would have their rights. Take them out, and let each caller send its own, which the proxy passes on',
  })
  .refine((text) => !/[?#]/.test(text), {
    error: 'must end with its path: parameters (?) and fragments (#) belong to a request',
  })

/** Maximum size of an answer's head, in bytes. Engines send any number of warnings in it. */
const maxHeadBytes = 1024 * 1024

const schema = z.object({
  target: address,
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
  function openPool(connections: number): Dispatcher {
    const pool = new Pool(url.origin, {
      connections,
      pipelining: 1,
      // The caller waits for the engine as long as it likes. Some requests take hours.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeadBytes,
      connect: { timeout: connectTimeout, rejectUnauthorized, ...(ca !== undefined && { ca }) },
    })
    return signer === undefined ? pool : pool.compose(signer)
  }
  const pool = openPool(connections)
  const probe = openPool(1)
  const ownHost = url.protocol === 'https:' || signer !== undefined ? url.host : undefined
  return {
    pool,
    probe,
    origin: url.origin,
    signs: signer !== undefined,
    // undici does not send a bare `*` (`OPTIONS *`). The engines treat both the same.
    pathOf: (path) => before + (path === '*' ? '/*' : path),
    headersFor(headers) {
      if (ownHost === undefined) return [...headers]
      return headers.map((value, place) =>
        place % 2 === 1 && headers[place - 1]!.toLowerCase() === 'host' ? ownHost : value,
      )
    },
    async close() {
      await Promise.all([pool.destroy(), probe.destroy()])
    },
  }
}
