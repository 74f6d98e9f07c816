/** Policy files on disk. Reading verifies that a file is complete and unedited. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { QuerentError } from '../../src/errors.ts'
import { byCodeUnit } from '../../src/rank.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import { type PolicyFile, parsePolicy } from './policy-file.ts'

/** SHA-256 of everything except the digest, in canonical key order. */
export function policyDigest(policy: Omit<PolicyFile, 'digest'>): string {
  const { digest: _, ...rest } = policy as PolicyFile
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

/** The content of a policy file. */
export const policyText = (policy: PolicyFile): string => `${JSON.stringify(policy)}\n`

/**
 * @throws QuerentError `missing-file`; `bad-policy` for a file that was cut or edited, that a newer version wrote, or that was
 *   trained on other features
 */
export async function readPolicy(path: string): Promise<PolicyFile> {
  return checked(await readFile(path, 'utf8').catch(unreadable(path)), path)
}

/** `readPolicy`, synchronously. @throws as `readPolicy` rejects */
export function readPolicySync(path: string): PolicyFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    return unreadable(path)(cause)
  }
  return checked(text, path)
}

const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    throw new QuerentError('missing-file', `The policy ${path} cannot be read`, { cause })
  }

function checked(text: string, path: string): PolicyFile {
  const policy = parsePolicy(text, path)
  if (policyDigest(policy) === policy.digest) return policy
  throw new QuerentError('bad-policy', `${path} was changed after it was written`, {
    remedy: 'Fetch the file again, or train it again with `querent train`.',
  })
}

/** Writes a policy in one step: a concurrent reader gets the old policy or the new one. */
export async function writePolicy(path: string, policy: PolicyFile): Promise<void> {
  await replaceFile(path, [policyText(policy)])
}
