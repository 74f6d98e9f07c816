/**
 * Policy files on disk, which may be compressed with gzip, and policies given as their content. Both are verified to be complete and
 * unedited.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { QuerentError } from '../../src/errors.ts'
import { byCodeUnit } from '../../src/rank.ts'
import { replaceFile } from '../../src/runtime/atomic-file.ts'
import { type PolicyFile, parsePolicy, policyOf } from './policy-file.ts'

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
  return unedited(parsePolicy(await readFile(path).catch(unreadable(path)), path), path)
}

const unreadable =
  (path: string) =>
  (cause: unknown): never => {
    throw new QuerentError('missing-file', `The policy ${path} cannot be read`, { cause })
  }

/** What was given → the policy that it is. Checking one takes tens of milliseconds, and many optimizers may share it. */
const checked = new WeakMap<object, PolicyFile>()

/**
 * A policy given as the content of its file. An object is checked once, and changing it after that has no effect.
 *
 * @param where what to call it in the message
 * @throws QuerentError `bad-policy` as `readPolicy` rejects
 */
export function checkPolicy(given: PolicyFile, where: string): PolicyFile {
  const policy = checked.get(given) ?? unedited(policyOf(given, where), where)
  checked.set(given, policy)
  return policy
}

function unedited(policy: PolicyFile, where: string): PolicyFile {
  if (policyDigest(policy) !== policy.digest)
    throw new QuerentError('bad-policy', `${where} was changed after it was written`, {
      remedy: 'Fetch the file again, or train it again with `querent train`.',
    })
  checked.set(policy, policy)
  return policy
}

/** Writes a policy in one step: a concurrent reader gets the old policy or the new one. */
export async function writePolicy(path: string, policy: PolicyFile): Promise<void> {
  await replaceFile(path, [policyText(policy)])
}
