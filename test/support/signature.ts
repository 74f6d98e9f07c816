/** Whether a request that came over the wire is signed as it should be: aws4 says so, which is none of ours. */
import { createHash } from 'node:crypto'
import aws4 from 'aws4'
import { valuesOf } from './raw-http.ts'
import type { RecordedRequest } from './recording-server.ts'

export const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** What it is signed with. */
interface Signer {
  readonly service: string
  readonly region: string
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** The `authorization` that a request came with, and the one that it should have come with. */
export function signaturesOf(
  { method, path, headers, body }: Pick<RecordedRequest, 'method' | 'path' | 'headers' | 'body'>,
  { service, region, credentials }: Signer,
): { readonly given: readonly string[]; readonly expected: readonly string[] } {
  const given = valuesOf(headers, 'authorization')
  const names = /SignedHeaders=([^,]+)/.exec(given[0] ?? '')?.[1]?.split(';') ?? []
  const signed = Object.fromEntries(names.map((name) => [name, valuesOf(headers, name).join()]))
  // What was hashed is what arrived; what aws4 would add to a request of its own is not signed.
  const { headers: made } = aws4.sign(
    {
      method,
      path,
      body,
      service,
      region,
      headers: { ...signed, 'x-amz-content-sha256': sha256(body) },
      extraHeadersToIgnore: { 'content-type': true, 'content-length': true },
    },
    credentials,
  )
  return { given, expected: [made.Authorization!] }
}
