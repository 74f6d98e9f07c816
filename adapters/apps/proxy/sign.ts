/**
 * Signs every request to the target (AWS Signature Version 4), as Amazon OpenSearch Service and Serverless require. AWS's own
 * package `@smithy/signature-v4` makes the signature, and Node hashes the body.
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
import { forwarded, headerOf, linesWhere } from './headers.ts'
import { signedUrl } from './route.ts'
import { type SpooledBody, spoolBody, spooledBytes } from './spooled-body.ts'

/** Credentials of AWS. */
export interface SignCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined
}

export interface SignOptions {
  /** For example `eu-central-1`. */
  readonly region: string
  /** `es`: Amazon OpenSearch Service. `aoss`: OpenSearch Serverless. Default: `es`. */
  readonly service?: 'es' | 'aoss' | undefined
  /**
   * The credentials to sign with. A function is called for each request. It should cache its result until that expires, as
   * `fromNodeProviderChain()` of `@aws-sdk/credential-providers` does.
   */
  readonly credentials: SignCredentials | (() => Promise<SignCredentials>)
  /** Milliseconds since 1970, for tests. Default: `Date.now`. */
  readonly now?: (() => number) | undefined
}

/** The request cannot be signed. It was not sent, and the answer has this status. */
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

/** Maximum size of a body in bytes: Amazon's limit, and the default of the engines. */
const maxBytes = 100 * 1024 * 1024

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
 * Makes the interceptor that signs the requests of a pool.
 *
 * @param host the target's host. It is part of the signature and replaces the request's own.
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
    const unsigned = {
      method: request.method,
      protocol: 'https:',
      hostname: host,
      path,
      query,
      headers: head,
    }
    const made = await signer.sign(unsigned, { signingDate: new Date(now()) }).catch((thrown: unknown) => {
      if (body instanceof Readable) body.destroy()
      throw thrown
    })
    const kept = withoutSignature(headers)
    // A chunked body has a known length by now.
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

/** A constructor, because the signer calls it with `new`. */
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
  const declaredLength = Number(headerOf(headers, 'content-length') ?? 0)
  const held = declaredLength > maxBytes ? 'too long' : await spoolBody(body, maxBytes)
  if (held === 'too long')
    throw new NotSigned(413, `A body that is signed may have ${maxBytes} bytes at the most`)
  return held
}

/** Removes the caller's own signature, which is invalid for the request that is sent. */
const withoutSignature = (headers: readonly string[]): string[] =>
  linesWhere(forwarded(headers, 'host', 'authorization'), (name) => !name.startsWith('x-amz-'))
