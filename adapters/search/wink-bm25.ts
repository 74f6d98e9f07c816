/**
 * BM25 in this process. wink-bm25-text-search counts the words of the documents and fields.
 *
 * Querent reads the counts through wink's getters, and computes and searches the weights itself. wink's weights are final: its
 * index takes no further documents. Its own search sorts all matches, breaks ties arbitrarily, and takes ten times as long. Its
 * export fails on words such as `constructor`. Scores equal those of wink's search; a test compares them.
 */
import bm25, { type Engine } from 'wink-bm25-text-search'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { type AnalyzeOptions, analyzer, stopWordList } from '../../src/text/analyze.ts'
import { knownWord, nearestWord } from '../../src/text/nearest-word.ts'
import type { Document, Retriever, SubQuery } from '../../src/types.ts'
import { readBm25, type SavedBm25, writeBm25 } from './bm25-file.ts'
import { weighted } from './bm25-weights.ts'
import { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
import { filteringRetriever, type Mask, type MetadataOf, metadataOf } from './filtering.ts'
import { checkLive } from './index-file.ts'
import { type Language, type LoadedLanguage, languageSchema, loadLanguage } from './language.ts'
import { countWords, type Postings, searchPostings } from './postings.ts'
import { joinCounts, type TermCounts } from './term-counts.ts'

export interface WinkBm25Options extends AnalyzeOptions {
  /**
   * The language of stems and stop words. Others than English need the packages @orama/stemmers and @orama/stopwords. Default:
   * `english`.
   */
  readonly language?: Language
  /** Saturation of a word's frequency: at 0, repetitions of a word do not count. Default: 0.9. */
  readonly k1?: number
  /** Normalization by document length, 0 (none) to 1 (full). Default: 0.4. */
  readonly b?: number
  /** The weight of a word in each field. 0 ignores a field. Default: 1 each, as if they were one text. */
  readonly fields?: { readonly title?: number; readonly text?: number }
  /** The retriever's name. Default: `bm25`. */
  readonly name?: string
  /** Whether the retriever keeps the documents, for policies, re-ranking and filters. Default: true. */
  readonly keepDocuments?: boolean
}

/** An index that was opened. */
export interface OpenedBm25 extends Retriever {
  /** Number of documents in the index. */
  readonly size: number
}

/** An index that was built. */
export interface WinkBm25 extends OpenedBm25 {
  /** Writes the index to one file in a folder, atomically. */
  save(folder: string): Promise<void>
}

// wink silently replaces invalid values with its defaults.
const optionsSchema = z.strictObject({
  k1: z.number().nonnegative().default(0.9),
  b: z.number().min(0).max(1).default(0.4),
  fields: z
    .strictObject({ title: z.number().nonnegative().default(1), text: z.number().nonnegative().default(1) })
    .refine(({ title, text }) => title + text > 0, 'one field at least must have a weight above 0')
    .prefault({}),
  language: languageSchema.default('english'),
  stem: z.boolean().default(true),
  stopWords: z.union([z.boolean(), z.array(z.string()).readonly()]).default(true),
  name: z.string().min(1).default('bm25'),
  keepDocuments: z.boolean().default(true),
})

/**
 * Builds a BM25 index of titles and texts, in Lucene's variant: Robertson et al., "Okapi at TREC-3", with
 * idf = ln(1 + (N − n + ½) / (n + ½)), and BM25F's weighted fields (Robertson, Zaragoza, Taylor 2004).
 *
 * Takes about 60 µs for a document of 100 words. An abort takes effect while documents are added.
 *
 * @throws QuerentError `bad-config` for a wrong option; `bad-document`, with its position, for a wrong document or a duplicate
 *   docid; `missing-package` for a language without its packages. If the signal aborts, its reason.
 */
export async function buildWinkBm25(
  documents: Documents,
  { onProgress, signal, ...options }: WinkBm25Options & BuildOptions = {},
): Promise<WinkBm25> {
  const parsed = parseConfig(optionsSchema, options, 'BM25')
  const { k1, b, fields, language, stem, stopWords, name, keepDocuments } = parsed
  const own = await loadLanguage(language)
  // Stores the stop words themselves, so an index keeps them even if a later version has another list.
  const settings = { k1, b, fields, language, stem, stopWords: stopWordList(stopWords, own.stopWords) }
  const progress = { ...(onProgress && { onProgress }), ...(signal && { signal }) }
  const kept = keepDocuments ? new Map<string, Document>() : undefined
  const counts = await countDocuments(checkedDocuments(documents, progress), settings, own, (document) =>
    kept?.set(document.docid, document),
  )
  const saved = { settings, counts }
  return {
    ...retrieverOf(name, saved, own, kept && { kept, metadata: metadataOf(kept) }),
    save: (folder) => writeBm25(folder, saved),
  }
}

export interface OpenBm25Options extends Pick<WinkBm25Options, 'name'> {
  /** The metadata of the documents, in the order of the index, for filters. Default: filters are refused. */
  readonly metadata?: MetadataOf
}

/**
 * Opens an index that `save` wrote to a folder. It analyzes queries as the index was built.
 *
 * @throws QuerentError `bad-index` if the folder has no such index, or a damaged one; `missing-package` without the packages of
 *   its language.
 */
export async function loadWinkBm25(folder: string, options: OpenBm25Options = {}): Promise<OpenedBm25> {
  const saved = await readBm25(folder)
  return openSaved(saved, await loadLanguage(saved.settings.language), options)
}

/** What became of the documents of an index after it was saved. */
export interface UpdatedWords {
  /** For each saved document, 1 if it is still there, otherwise 0. */
  readonly live: Uint8Array
  /** Documents that come after them. */
  readonly added: AsyncIterable<Document>
}

/** Opens an index with other documents than were saved: its hits and scores are those of an index that was built of them. */
export async function loadUpdatedBm25(
  folder: string,
  { live, added }: UpdatedWords,
  options: OpenBm25Options,
): Promise<OpenedBm25> {
  const { settings, counts } = await readBm25(folder)
  checkLive(folder, live, counts.docids.length)
  const own = await loadLanguage(settings.language)
  const later = await countDocuments(added, settings, own)
  return openSaved({ settings, counts: joinCounts(counts, live, later) }, own, options)
}

function openSaved(
  saved: SavedBm25,
  own: LoadedLanguage,
  { metadata, ...options }: OpenBm25Options,
): OpenedBm25 {
  const { name } = parseConfig(optionsSchema, options, 'BM25')
  return retrieverOf(name, saved, own, { metadata })
}

interface Kept {
  readonly kept?: ReadonlyMap<string, Document>
  readonly metadata: MetadataOf | undefined
}

function retrieverOf(
  name: string,
  { settings, counts }: SavedBm25,
  { stemmer }: LoadedLanguage,
  kept: Kept = { metadata: undefined },
): OpenedBm25 {
  const analyze = analyzer(settings, stemmer)
  const postings = weighted(counts, settings)
  const search = ({ text, relaxed }: SubQuery, k: number, mask: Mask | undefined) => {
    const words = analyze(text)
    const read = relaxed?.near ? nearlySpelled(words, postings) : words
    return searchPostings(postings, countWords(read), k, mask?.passes)
  }
  const retriever = filteringRetriever(name, kept, async (subQueries, masks, { k }) =>
    subQueries.map((subQuery, at) => search(subQuery, k, masks[at])),
  )
  return { ...retriever, kind: 'lexical', size: postings.docids.length }
}

/** The words as the index has them: a word that it does not have as the one that is nearest to it, if one is near. */
function nearlySpelled(words: readonly string[], { tokens, offsets }: Postings): readonly string[] {
  if (words.every((word) => tokens.has(word))) return words
  const known = Array.from(tokens, ([word, token]) => knownWord(word, offsets[token + 1]! - offsets[token]!))
  return words.map((word) => (tokens.has(word) ? word : (nearestWord(word, known) ?? word)))
}

async function countDocuments(
  documents: AsyncIterable<Document>,
  settings: SavedBm25['settings'],
  { stemmer }: LoadedLanguage,
  onDocument?: (document: Document) => void,
): Promise<TermCounts> {
  const { k1, b, fields } = settings
  const engine = bm25()
  const weights = Object.fromEntries(Object.entries(fields).filter(([, weight]) => weight > 0))
  engine.defineConfig({ fldWeights: weights, bm25Params: { k1, b, k: 1 } })
  engine.definePrepTasks([analyzer(settings, stemmer)])
  const docids: string[] = []
  for await (const document of documents) {
    const { docid, title = '', text } = document
    onDocument?.(document)
    // The id for wink is the position. Numbers are small, and cannot clash with properties that objects inherit.
    engine.addDoc({ title, text }, docids.length)
    docids.push(docid)
  }
  return readOut(engine, docids)
}

/** Converts wink's counts, ordered by document, to counts ordered by token. */
function readOut(engine: Engine, docids: readonly string[]): TermCounts {
  const learned = engine.getDocs()
  const tokens = new Map(Object.entries(engine.getTokens()))
  const lengths = Float64Array.from(docids, (_, position) => learned[position]!.length)
  const offsets = new Uint32Array(tokens.size + 1)
  docids.forEach((_, position) => {
    for (const token of Object.keys(learned[position]!.freq)) offsets[Number(token) + 1]!++
  })
  for (let token = 0; token < tokens.size; token++) offsets[token + 1]! += offsets[token]!

  const next = offsets.slice()
  const documents = new Uint32Array(offsets[tokens.size]!)
  const counts = new Float32Array(offsets[tokens.size]!)
  docids.forEach((_, position) => {
    for (const [token, count] of Object.entries(learned[position]!.freq)) {
      const index = next[Number(token)]!++
      documents[index] = position
      counts[index] = count
    }
  })
  return { docids, lengths, tokens, offsets, documents, counts }
}
