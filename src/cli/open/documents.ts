/** The documents that a command reads, and what is odd about them. */
import { QuerentError } from '../../errors.ts'
import { type CorpusOddity, type CorpusOptions, readCorpus } from '../../evaluation/corpus.ts'
import type { Source } from '../../evaluation/lines.ts'
import type { Document } from '../../types.ts'
import { count } from '../output/count.ts'
import { say, type Terminal } from '../output/terminal.ts'

export interface DocumentSettings {
  readonly inputFormat?: CorpusOptions['format'] | undefined
  readonly columns?: readonly string[] | undefined
  readonly idField?: string | undefined
  readonly titleField?: string | undefined
  readonly textField?: string | undefined
  readonly skipBadLines?: boolean | undefined
}

export interface Documents {
  readonly documents: AsyncIterable<Document>
  /** How many lines were left out so far; absent without `--set skipBadLines`. */
  readonly skipped: () => { readonly skipped?: number }
  /** Says once what was left out and what is odd. */
  readonly sayOddities: () => void
}

export function readDocuments(source: Source, settings: DocumentSettings, terminal: Terminal): Documents {
  const { inputFormat, columns, idField, titleField, textField, skipBadLines = false } = settings
  const oddities = new Map<CorpusOddity, number>()
  let skipped = 0
  let firstReason: string | undefined
  const read = readCorpus(source, {
    signal: terminal.signal,
    ...(inputFormat !== undefined && { format: inputFormat }),
    ...(columns && { columns }),
    ...(idField !== undefined && { idField }),
    ...(titleField !== undefined && { titleField }),
    ...(textField !== undefined && { textField }),
    ...(skipBadLines && {
      onBadLine({ message }) {
        skipped++
        firstReason ??= message
      },
    }),
    onOddity: (oddity) => oddities.set(oddity, (oddities.get(oddity) ?? 0) + 1),
  })
  async function* documents(): AsyncGenerator<Document> {
    let kept = 0
    for await (const document of read) {
      kept++
      yield document
    }
    const remedy = 'Check --set inputFormat, --columns and the fields.'
    const what = `${skipped} of ${skipped + kept} lines are bad. The first: ${firstReason}`
    if (skipped > kept) throw new QuerentError('bad-document', what, { remedy })
  }
  return {
    documents: documents(),
    skipped: () => (skipBadLines ? { skipped } : {}),
    sayOddities() {
      if (firstReason !== undefined)
        say(terminal, `Left out ${count(skipped, 'bad line')}. The first: ${firstReason}`)
      for (const [oddity, number] of oddities)
        say(terminal, `${count(number, 'document')} ${meanings[oddity]}`)
    },
  }
}

const meanings: Readonly<Record<CorpusOddity, string>> = {
  'number-id': 'had a number as docid. Docids are text: 1 became "1".',
  'null-text': 'had null as text: only the title is searched. --text-field names another field.',
  'empty-text': 'had no text: only the title is searched. --text-field names another field.',
}
