/** Settings that name a file, or, where they are JSON, may have its content. */
import { X509Certificate } from 'node:crypto'
import type { Rule } from '../../../adapters/apps/drop-in/run/settings.ts'
import { type FilterFields, filterFieldsSchema } from '../../../policies/filters/fields.ts'
import { parseConfig } from '../../config.ts'
import { QuerentError } from '../../errors.ts'
import { readJson, readText } from '../settings/config-file.ts'

/**
 * The user's prompt for ACQO, with `{question}` and `{context}` to fill in; `undefined` if no file is named.
 *
 * @throws QuerentError `missing-file`; `bad-file` for a text without a place for the question
 */
export async function readTemplate(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
  const content = await readText(path, 'The template')
  if (content.includes('{question}')) return content.trimEnd()
  throw new QuerentError('bad-file', `The template ${path} has no place for the question`, {
    remedy: 'Write {question} where it goes, and {context} where the conversation goes.',
  })
}

/**
 * The fields that queries may filter by.
 *
 * @throws QuerentError `missing-file`; `bad-config` for fields that cannot be used
 */
export async function readFilterFields(
  given: string | FilterFields | undefined,
): Promise<FilterFields | undefined> {
  if (given === undefined) return undefined
  const fields = await jsonIn(given, 'one object such as {"price": "EUR", "brand": "keyword"}')
  parseConfig(filterFieldsSchema, fields, '--set filterFields')
  return fields as FilterFields
}

/**
 * The rules for some indices. `createProxy` checks them.
 *
 * @throws QuerentError `missing-file`; `bad-config` for a file that is not JSON
 */
export const readRules = async (given: string | readonly Rule[] | undefined) =>
  (await jsonIn(given, 'a list such as [{"index": "logs-*", "optimize": false}]')) as
    | readonly Rule[]
    | undefined

/** @param example what the file should have */
const jsonIn = (given: unknown, example: string): unknown =>
  typeof given === 'string' ? readJson(given, 'The file', `Write ${example}.`) : given

/** One certificate of a PEM file. */
const block = /-----BEGIN [\w ]*CERTIFICATE-----.*?-----END [\w ]*CERTIFICATE-----/gs

/**
 * The content of a PEM file, checked: TLS would silently trust nothing of a file without a certificate.
 *
 * @throws QuerentError `missing-file`, `bad-file`
 */
export async function readCertificates(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined
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
