/** Whether a policy file is complete and unedited. That is known without knowing what is in a policy. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { QuerentError } from '../../../src/errors.ts'
import { byCodeUnit } from '../../../src/rank.ts'
import { unzipped } from '../../../src/runtime/own-file.ts'

export const remedy = 'Fetch the file again, or train it again with `querent train`.'

/** SHA-256 of everything except the digest, in canonical key order. */
export function policyDigest(policy: object): string {
  const { digest: _, ...rest } = policy as { readonly digest?: unknown }
  return createHash('sha256')
    .update(JSON.stringify(inOrder(rest)))
    .digest('hex')
}

/** The weights, which are most of a file, are lists of numbers: they are not looked through one by one. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map(inOrder)
  const sorted = Object.entries(value).sort(([a], [b]) => byCodeUnit(a, b))
  return Object.fromEntries(sorted.map(([key, child]) => [key, inOrder(child)]))
}

/** The content of a policy file, which may be compressed. @throws QuerentError `bad-policy` if it was cut */
export function readContent(content: Uint8Array, where: string): unknown {
  try {
    return JSON.parse(unzipped(content).toString('utf8'))
  } catch (cause) {
    const what = `${where} is not a policy, or was cut: ${(cause as Error).message}`
    throw new QuerentError('bad-policy', what, { remedy, cause })
  }
}

/** @throws QuerentError `bad-policy` if the content of a policy file has another digest than it says */
export function checkDigest(policy: unknown, where: string): void {
  const { digest } = Object(policy) as { readonly digest?: unknown }
  if (policyDigest(Object(policy)) !== digest)
    throw new QuerentError('bad-policy', `${where} was changed after it was written`, { remedy })
}

/** Checks a policy file, for applications that load it later. @throws QuerentError `missing-file`, `bad-policy` */
export function checkPolicyFile(path: string): void {
  let content: Buffer
  try {
    content = readFileSync(path)
  } catch (cause) {
    throw unreadable(path, cause)
  }
  checkDigest(readContent(content, path), path)
}

export const unreadable = (path: string, cause?: unknown): QuerentError =>
  new QuerentError('missing-file', `The policy ${path} cannot be read`, { cause })
