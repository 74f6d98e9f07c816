/** Converts an engine's `_source` to a document. */

import { fieldIn, isObject } from '../../../src/runtime/json.ts'
import type { Document } from '../../../src/types.ts'

/** The fields of `_source` to read. */
export interface DocumentFields {
  readonly title: string
  readonly text: string
  /** Additional fields to include as metadata. `false`: no documents at all. */
  readonly source: readonly string[] | false
}

/** The fields to request in `_source`. */
export function sourceOf({ title, text, source }: DocumentFields): readonly string[] | false {
  return source === false ? false : [...new Set([title, text, ...source])]
}

/** The document, if it has a title or a text. Joins lists of texts. All other requested fields become metadata. */
export function documentOf(docid: string, source: unknown, fields: DocumentFields): Document | undefined {
  if (fields.source === false || !isObject(source)) return undefined
  const title = textOf(fieldIn(source, fields.title))
  const text = textOf(fieldIn(source, fields.text))
  if (title === undefined && text === undefined) return undefined
  const metadata = metadataOf(source, fields)
  return {
    docid,
    ...(title !== undefined && { title }),
    text: text ?? '',
    ...(metadata && { metadata }),
  }
}

function metadataOf(
  source: Readonly<Record<string, unknown>>,
  { title, text, source: others }: DocumentFields,
): Record<string, unknown> | undefined {
  if (others === false || others.length === 0) return undefined
  const textFields = new Set([title, text])
  const rest = Object.entries(source).filter(([key]) => !textFields.has(key))
  return rest.length === 0 ? undefined : Object.fromEntries(rest)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (!Array.isArray(value)) return undefined
  const texts = value.map(textOf).filter((text) => text !== undefined)
  return texts.length === 0 ? undefined : texts.join('\n')
}
