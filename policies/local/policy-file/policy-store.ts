/**
 * Policy files on disk, which may be compressed with gzip, and policies given as their content. Both are verified to be complete and
 * unedited.
 */
import { readFile } from 'node:fs/promises'
import { replaceFile } from '../../../src/runtime/atomic-file.ts'
import { checkDigest, unreadable } from './policy-digest.ts'
import { type PolicyFile, parsePolicy, policyOf } from './policy-file.ts'

/** The content of a policy file. */
export const policyText = (policy: PolicyFile): string => `${JSON.stringify(policy)}\n`

/**
 * @throws QuerentError `missing-file`; `bad-policy` for a file that was cut or edited, that a newer version wrote, or that was
 *   trained on other features
 */
export async function readPolicy(path: string): Promise<PolicyFile> {
  const content = await readFile(path).catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  return unedited(parsePolicy(content, path), path)
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
  checkDigest(policy, where)
  checked.set(policy, policy)
  return policy
}

/** Writes a policy in one step: a concurrent reader gets the old policy or the new one. */
export async function writePolicy(path: string, policy: PolicyFile): Promise<void> {
  await replaceFile(path, [policyText(policy)])
}
