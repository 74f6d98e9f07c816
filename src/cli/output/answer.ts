import { clip } from './truncate.ts'

/** A document that an answer was read from. */
export interface Cited {
  readonly docid: string
  readonly title?: string | undefined
}

/** The answer, and below it the documents that it was read from. An answer without marks of its own gets those of all documents. */
export function answerLines(answer: string, cited: readonly Cited[]): string[] {
  if (cited.length === 0) return [answer, "(read from no document: the model's own knowledge)"]
  const marked = new Set([...answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  const shown = cited
    .map((document, place) => ({ ...document, number: place + 1 }))
    .filter(({ number }) => marked.size === 0 || marked.has(number))
  const [first, last] = [shown[0]?.number, shown.at(-1)?.number]
  const marks = shown.length > 3 ? `[${first}]–[${last}]` : shown.map(({ number }) => `[${number}]`).join(' ')
  return [
    marked.size === 0 ? `${answer} ${marks}` : answer,
    ...shown.map(
      ({ number, docid, title }) => `  [${number}] ${title ? `${clip(title)} (${docid})` : docid}`,
    ),
  ]
}
