/** What outside re-rankers read: the first fused hits, and the beginnings of their texts. */
import type { DocumentOf } from '../../src/reranker.ts'
import { cut } from '../../src/text/cut.ts'
import type { Document, Hit } from '../../src/types.ts'

export const firstDocids = (fused: readonly Hit[], window: number): string[] =>
  fused.slice(0, window).map(({ docid }) => docid)

/** The documents of the first `window` hits, as far as they were found. */
export const candidatesOf = (fused: readonly Hit[], documentOf: DocumentOf, window: number): Document[] =>
  firstDocids(fused, window).flatMap((docid) => documentOf(docid) ?? [])

/** The title and the text. Some servers refuse an empty text, so it is a space then. */
export const textOf = ({ title, text }: Document, maxCharacters: number): string =>
  cut(title === undefined ? text : `${title}\n${text}`, maxCharacters).trim() || ' '
