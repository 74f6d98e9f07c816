/**
 * Every request to the target is signed (AWS Signature Version 4), as Amazon OpenSearch Service and Serverless want it.
 * The signature is `@smithy/signature-v4`'s, AWS's own; the hash of the body is Node's.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { SignatureV4 } from '@smithy/signature-v4'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { toError } from '../../../src/errors.ts'
import { optionalPackage } from '../../../src/runtime/optional-package.ts'
import { forwarded, headerOf } from './headers.ts'
import { signedUrl } from './signed-url.ts'
import { type SpooledBody, spoolBody, spooledBytes } from './spooled-body.ts'

/** Of AWS. */
interface SignCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Where they are temporary. */
  readonly sessionToken?: string | undefined
}

export interface SignOptions {
  /** `eu-central-1` for one. */
  readonly region: string
  /** `es`: Amazon OpenSearch Service. `aoss`: OpenSearch Serverless. Default: `es`. */
  readonly service?: 'es' | 'aoss' | undefined
  /**
   * What is signed with; a function is asked for each request, and should remember its answer until it expires, as
   * `fromNodeProviderChain()` of `@aws-sdk/credential-providers` does.
   */
  readonly credentials: SignCredentials | (() => Promise<SignCredentials>)
  /** Milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** A request that cannot be signed: it was not sent, and is answered with this status. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned'
  readonly status: 413 | 502

  constructor(status: 413 | 502, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

const notSigned = (thrown: unknown): NotSigned =>
  thrown instanceof NotSigned
    ? thrown
    : new NotSigned(502, `It cannot be signed: ${toError(thrown).message}`, thrown)

/** Bytes of a body: what Amazon takes at the most, and the engines by default. */
const most = 100 * 1024 * 1024

const text = z.string().min(1)
const credentialsSchema = z.object({
  accessKeyId: text,
  secretAccessKey: text,
  sessionToken: text.optional(),
})

const schema = z.strictObject({
  region: text,
  service: z.enum(['es', 'aoss']).default('es'),
  credentials: z.union([
    z.custom<() => Promise<SignCredentials>>((value) => typeof value === 'function'),
    credentialsSchema,
  ]),
  now: z.custom<() => number>((value) => typeof value === 'function').default(() => Date.now),
})

/**
 * What signs the requests of a pool.
 *
 * @param host of the target, which is signed: requests get it in place of their own
 * @throws QuerentError `bad-config` that names the wrong option; `missing-package`
 */
export async function signing(
  options: SignOptions,
  host: string,
): Promise<Dispatcher.DispatcherComposeInterceptor> {
  const { credentials, now, region, service } = parseConfig(schema, options, 'proxy: sign')
  const { SignatureV4 } = await optionalPackage(
    '@smithy/signature-v4',
    undefined,
    () => import('@smithy/signature-v4'),
  )
  const provider = typeof credentials === 'function' ? credentials : async () => credentials
  const signer = new SignatureV4({
    region,
    service,
    credentials: provider as SignerOptions['credentials'],
    sha256: nodeHash as unknown as NonNullable<SignerOptions['sha256']>,
  })

  async function signed(request: Dispatcher.DispatchOptions): Promise<Dispatcher.DispatchOptions> {
    const headers = (request.headers ?? []) as readonly string[]
    const { body, hash, length } = await heldBodyOf(request.body, headers)
    const { path, query, url } = signedUrl(request.path)
    const head = { host, 'x-amz-content-sha256': hash }
    const asked = { method: request.method, protocol: 'https:', hostname: host, path, query, headers: head }
    const made = await signer.sign(asked, { signingDate: new Date(now()) }).catch((thrown: unknown) => {
      if (body instanceof Readable) body.destroy()
      throw thrown
    })
    const kept = withoutSignature(headers)
    // What came in chunks has a length by now.
    if (length > 0 && headerOf(kept, 'content-length') === undefined)
      kept.push('content-length', String(length))
    return { ...request, path: url, headers: [...Object.entries(made.headers).flat(), ...kept], body }
  }

  return (dispatch) => (request, handler) => {
    signed(request).then(
      (ready) => dispatch(ready, handler),
      (thrown: unknown) => handler.onResponseError?.(undefined as never, notSigned(thrown)),
    )
    return true
  }
}

type SignerOptions = ConstructorParameters<typeof SignatureV4>[0]

/** The signer makes it with `new`. */
function nodeHash(secret?: string | Uint8Array) {
  const hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  return { update: (data: Uint8Array) => void hash.update(data), digest: async () => hash.digest() }
}

/** @throws NotSigned for a body that is too long */
async function heldBodyOf(
  body: Dispatcher.DispatchOptions['body'],
  headers: readonly string[],
): Promise<SpooledBody> {
  if (!(body instanceof Readable)) return spooledBytes((body ?? '') as Uint8Array | string)
  const said = Number(headerOf(headers, 'content-length') ?? 0)
  const held = said > most ? 'too long' : await spoolBody(body, most)
  if (held === 'too long')
    throw new NotSigned(413, `A body that is signed may have ${most} bytes at the most`)
  return held
}

/** A caller's own signature, whoever it is of, is not valid for what is sent. */
const withoutSignature = (headers: readonly string[]): string[] =>
  forwarded(headers, 'host', 'authorization').filter(
    (_, place, all) => !all[place - (place % 2)]!.toLowerCase().startsWith('x-amz-'),
  )
