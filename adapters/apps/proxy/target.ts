/** Where the proxy sends what it gets: one origin, its connections and its certificates. */
import { type Dispatcher, Pool } from 'undici'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { type SignOptions, signing } from './sign.ts'

export interface TargetOptions {
  /**
   * `http://host:9200`, or `https://…`, with a path before all paths where the engine has one. Without credentials: each
   * caller sends its own.
   */
  readonly target: string
  /** The certificates of those who may sign the target's, in PEM. Default: the ones that Node trusts. */
  readonly ca?: string | undefined
  /** Whether the target's certificate is checked. Default: true. */
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
  /** A connection beside the pool's, to ask whether the target answers however many of those are taken. */
  readonly probe: Dispatcher
  readonly origin: string
  readonly signs: boolean
  /** The path of a request, behind the target's own. */
  pathOf(url: string): string
  /**
   * The headers that the target gets. Over TLS the host is its own, since certificates and hosted clusters go by it;
   * otherwise it stays the caller's.
   */
  headersFor(headers: readonly string[]): string[]
  /** Ends all connections, whatever is under way. */
  close(): Promise<void>
}

/** No message repeats an address, since a password may stand in it. */
const address = z
  .url({ protocol: /^https?$/, error: 'must be an address with http:// or https://', abort: true })
  .refine((text) => new URL(text).username === '' && new URL(text).password === '', {
    error:
      'must be without credentials: whoever reaches the proxy would have their rights. Take them out, and let each caller send its own, which the proxy passes on',
  })
  .refine((text) => !/[?#]/.test(text), {
    error: 'must end with its path: parameters (?) and fragments (#) belong to a request',
  })

/** Bytes of the head of an answer. The warnings of an engine have no limit. */
const maxHeadBytes = 1024 * 1024

const schema = z.strictObject({
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
      // The caller waits for the engine as long as it likes: some requests take hours.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: maxHeadBytes,
      connect: { timeout: connectTimeout, rejectUnauthorized, ...(ca !== undefined && { ca }) },
    })
    return signer === undefined ? pool : pool.compose(signer)
  }
  const pool = openPool(connections)
  const probe = openPool(1)
  const ownHost = url.protocol === 'https:' ? url.host : undefined
  return {
    pool,
    probe,
    origin: url.origin,
    signs: signer !== undefined,
    // undici sends no bare `*` (`OPTIONS *`); the engines take both for the same.
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
