import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PolicyFile } from '../../../policies/local/policy-file.ts'
import {
  checkPolicy,
  policyDigest,
  policyText,
  readPolicy,
  writePolicy,
} from '../../../policies/local/policy-store.ts'
import { expectError } from '../../support/expect-error.ts'
import { smallPolicy } from '../../support/small-policy.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const policy = await smallPolicy()
const text = policyText(policy)

/** What a file with this content is refused with. */
async function refused(content: string): Promise<{ readonly path: string; readonly error: unknown }> {
  const path = join(await temporaryFolder(), 'policy.json')
  await writeFile(path, content)
  const error = await readPolicy(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { path, error }
}

/** With a digest that fits, as if this had been written so. */
const written = (changed: object): string =>
  policyText({ ...changed, digest: policyDigest(changed as PolicyFile) } as PolicyFile)

describe('a policy on the disk', () => {
  it('is read as it was written, byte for byte', async () => {
    const path = join(await temporaryFolder(), 'made on the way', 'policy.json')
    await writePolicy(path, policy)
    expect(await readPolicy(path)).toEqual(policy)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('may have either section, or none', async () => {
    const { decision: _, rerank: __, ...neither } = policy
    for (const sections of [{ decision: policy.decision }, { rerank: policy.rerank }, {}])
      expect((await refused(written({ ...neither, ...sections }))).error).toBeUndefined()
  })

  const otherScorer = {
    ...policy.decision!.choice,
    inputs: policy.decision!.choice.inputs.map((name, place) => (place === 3 ? 'moon phase' : name)),
  }
  it.each([
    ['cut', text.slice(0, text.length / 2), 'is not a policy, or was cut', 'querent train'],
    ['empty', '', 'is not a policy, or was cut', 'querent train'],
    [
      'edited',
      text.replace(/"bias":-?[\d.]+/, '"bias":9'),
      'was changed after it was written',
      'querent train',
    ],
    ['something else', '{"hits": []}', 'is not a policy: format', 'querent train'],
    ['no object', 'null', 'is not a policy', 'querent train'],
    [
      'too new',
      written({ ...policy, version: 2, more: true }),
      'newer Querent (version 2)',
      'Update Querent',
    ],
    [
      'for other features',
      written({ ...policy, decision: { ...policy.decision, choice: otherScorer } }),
      'input 4 is "moon phase"',
      'train it again with this version',
    ],
    [
      'a scorer with too few weights',
      written({ ...policy, decision: { ...policy.decision, choice: { ...otherScorer, skip: [1] } } }),
      'is not a policy: decision.choice',
      'querent train',
    ],
  ])('is refused where it is %s, with its name and what to do', async (_, content, what, remedy) => {
    expect(content).not.toBe(text)
    const { path, error } = await refused(content)
    expect(error).toMatchObject({ code: 'bad-policy', remedy: expect.stringContaining(remedy) })
    expect((error as Error).message).toContain(`${path}`)
    expect((error as Error).message).toContain(what)
  })

  it('is missing where it is missing', async () => {
    await expectError(readPolicy('nowhere.json'), 'missing-file')
  })
})

describe('a policy that is given as its content', () => {
  const content = (): { -readonly [Name in keyof PolicyFile]: PolicyFile[Name] } => JSON.parse(text)

  it('is checked once: what becomes of the object then has no effect', () => {
    const given = content()
    const first = checkPolicy(given, 'the file')
    expect(first).toEqual(policy)
    given.terms = { documents: -1, stems: {} }
    ;(given.decision!.choice.skip as number[])[0] = 9
    expect(checkPolicy(given, 'the file')).toBe(first)
    expect(first).toEqual(policy)
  })

  it('is not checked again if it was read from a file', async () => {
    const path = join(await temporaryFolder(), 'policy.json')
    await writePolicy(path, policy)
    const read = await readPolicy(path)
    expect(checkPolicy(read, 'the file')).toBe(read)
  })

  it('is refused each time that something is wrong', () => {
    const given = content()
    given.digest = '0'.repeat(64)
    for (const _ of [1, 2]) expectError(() => checkPolicy(given, 'the file'), 'bad-policy', /changed/)
  })
})
