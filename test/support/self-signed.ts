/** A certificate that nobody has signed but itself. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './temporary-folder.ts'

/** As a TLS server takes it. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

export async function selfSigned(): Promise<Certificate> {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  await promisify(execFile)('openssl', ['req', ...made, ...subject])
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}
