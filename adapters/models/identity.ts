import { createHash } from 'node:crypto'

/** The `identity` of a model: one text for all that decides its answers. Hashed: headers may hold credentials, and lists are long. */
export const identityOf = (parts: Readonly<Record<string, unknown>>): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
