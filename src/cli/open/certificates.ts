/** Certificates that a command trusts. */
import { X509Certificate } from 'node:crypto'
import { QuerentError } from '../../errors.ts'
import { readText } from '../settings/config-file.ts'

/** One certificate of a PEM file. */
const block = /-----BEGIN [\w ]*CERTIFICATE-----.*?-----END [\w ]*CERTIFICATE-----/gs

/**
 * The content of a PEM file, checked: TLS would silently trust nothing of a file without a certificate.
 *
 * @throws QuerentError `missing-file`, `bad-file`
 */
export async function readCertificates(path: string): Promise<string> {
  const text = await readText(path, 'The certificates')
  try {
    for (const certificate of text.match(block) ?? [text]) new X509Certificate(certificate)
  } catch (cause) {
    throw new QuerentError('bad-file', `${path} has no certificate, or one that is broken`, {
      remedy: 'Name a file with certificates in PEM: -----BEGIN CERTIFICATE-----.',
      cause,
    })
  }
  return text
}
