/** The documents that a command reads, and what is odd about them. */
import { stat } from 'node:fs/promises'
import { QuerentError } from '../../errors.ts'
import { findCorpus } from '../../evaluation/beir-folder.ts'
import { type CorpusOddity, readCorpus } from '../../evaluation/corpus.ts'
import type { Source } from '../../evaluation/lines.ts'
import type { Document } from '../../types.ts'
import { say, type Terminal } from '../output/terminal.ts'
import { count } from '../output/words.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given } from '../settings/setting.ts'

export interface Documents {
  readonly documents: AsyncIterable<Document>
  /** How many lines were left out so far; absent without `--set skipBadLines`. */
  readonly skipped: () => { readonly skipped?: number }
  /** Says once what was left out and what is odd. */
  readonly sayOddities: () => void
}

/** A BEIR folder's corpus, a file, or standard input for `-`. @throws QuerentError `missing-file` if it does not exist */
export async function corpusSource(corpus: string, { stdin }: Terminal): Promise<Source> {
  if (corpus === '-') return { name: 'standard input', bytes: stdin }
  const found = await stat(corpus).catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The corpus ${corpus} cannot be read`, { cause })
  })
  return found.isDirectory() ? findCorpus(corpus) : corpus
}

export function readDocuments(
  source: Source,
  settings: Pick<SettingsOf<'index'>, keyof SettingsOf<'index'> & keyof SettingsOf<'triples'>>,
  terminal: Terminal,
): Documents {
  const { inputFormat: format, columns, idField, titleField, textField, skipBadLines = false } = settings
  const oddities = new Map<CorpusOddity, number>()
  let skipped = 0
  let firstReason: string | undefined
  const read = readCorpus(source, {
    signal: terminal.signal,
    ...given({ format, columns, idField, titleField, textField }),
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
