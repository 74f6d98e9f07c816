/** JSON lines, and tables whose first line names the columns. */
export const corpusFormats = ['jsonl', 'csv', 'tsv'] as const

/** @useDeclaredType */
export type CorpusFormat = (typeof corpusFormats)[number]
