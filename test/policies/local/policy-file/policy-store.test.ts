import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { PolicyFile } from '../../../../policies/local/policy-file/policy-file.ts'
import {
  checkPolicy,
  policyText,
  readPolicy,
  writePolicy,
} from '../../../../policies/local/policy-file/policy-store.ts'
import { expectError } from '../../../support/expect-error.ts'
import { smallPolicy } from '../../../support/small-policy.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const policy = await smallPolicy()
const text = policyText(policy)

describe('a policy on the disk', () => {
  it('is read as it was written, byte for byte', async () => {
    const path = join(await temporaryFolder(), 'made on the way', 'policy.json')
    await writePolicy(path, policy)
    expect(await readPolicy(path)).toEqual(policy)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  it('may be compressed', async () => {
    const path = join(await temporaryFolder(), 'policy.json')
    await writeFile(path, gzipSync(text))
    expect(await readPolicy(path)).toEqual(policy)
  })
})

describe('a policy that is given as its content', () => {
  const content = (): { -readonly [Name in keyof PolicyFile]: PolicyFile[Name] } => JSON.parse(text)

  it('is checked once: what becomes of the object then has no effect', () => {
    const given = content()
    const first = checkPolicy(given, 'the file')
    expect(first).toEqual(policy)
    given.terms = { documents: -1, stems: {} }
    ;(given.decision!.gains[0]!.skip as number[])[0] = 9
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
