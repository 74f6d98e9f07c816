import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCertificates } from '../../../src/cli/open/setting-files.ts'
import { expectError } from '../../support/expect-error.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'ca.pem')
  await writeFile(path, text)
  return path
}

it('reads all certificates of a file, with what stands between them', async () => {
  const { cert } = await selfSigned()
  const text = `# ours\n${cert}# theirs\n${cert}`
  expect(await readCertificates(await fileOf(text))).toBe(text)
  const broken = await fileOf(cert + cert.replace('MII', 'AAA'))
  await expectError(readCertificates(broken), 'bad-file')
})

it.each(['proxy', 'doctor'])(
  '%s names a file without a certificate, or that is not there',
  async (command) => {
    const argv = [command, '--target', 'https://127.0.0.1:1', '--set']
    const junk = await fileOf('junk\n')
    const { status, errors } = await runToEnd([...argv, `ca=${junk}`])
    expect([status, errors]).toEqual([1, expect.stringContaining(`${junk} has no certificate`)])
    expect((await runToEnd([...argv, '/nowhere.pem'])).errors).toContain('/nowhere.pem')
  },
)
