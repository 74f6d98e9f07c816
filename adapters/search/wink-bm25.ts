/**
 * BM25 in this process: wink-bm25-text-search learns the documents and weighs their words.
 *
 * Its weights are read out once it has learned, through its own getters, and searched here: its search sorts all that
 * it finds and leaves ties to chance, takes ten times as long, and its export fails on words such as `constructor`.
 * Scores are those of its own search; a test compares them.
 */
import bm25, { type Engine } from 'wink-bm25-text-search'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { type AnalyzeOptions, analyzer, stopWordList } from '../../src/text/analyze.ts'
import type { Document, Retriever } from '../../src/types.ts'
import { readPostings, type SavedBm25, writePostings } from './bm25-file.ts'
import { type BuildOptions, checkedDocuments, type Documents } from './corpus.ts'
import { type Postings, searchPostings } from './postings.ts'
import { checkRequest } from './request.ts'

export interface WinkBm25Options extends AnalyzeOptions {
  /** How soon more of the same word stops to count, from 0 (at once). Default: 0.9. */
  readonly k1?: number
  /** How much longer documents are held back, 0 (not at all) to 1. Default: 0.4. */
  readonly b?: number
  /** How often a word counts that stands in a field; 0 leaves a field out. Default: 1 each, as if they were one text. */
  readonly fields?: { readonly title?: number; readonly text?: number }
  /** The retriever's name. Default: `bm25`. */
  readonly name?: string
  /** Whether the retriever keeps the documents, so that policies and re-ranking find their texts. Default: true. */
  readonly keepDocuments?: boolean
}

export interface WinkBm25 extends Retriever {
  /** How many documents are in the index. */
  readonly size: number
  /** Writes the index into a folder, in one file, which is replaced as a whole. */
  save(folder: string): Promise<void>
}

// Wink takes its own defaults, without a word, for values that it does not like.
const optionsSchema = z.strictObject({
  k1: z.number().nonnegative().default(0.9),
  b: z.number().min(0).max(1).default(0.4),
  fields: z
    .strictObject({ title: z.number().nonnegative().default(1), text: z.number().nonnegative().default(1) })
    .refine(({ title, text }) => title + text > 0, 'one field at least must have a weight above 0')
    .prefault({}),
  stem: z.boolean().default(true),
  stopWords: z.union([z.boolean(), z.array(z.string()).readonly()]).default(true),
  name: z.string().min(1).default('bm25'),
  keepDocuments: z.boolean().default(true),
})

/**
 * Builds a BM25 index of titles and texts, in the variant of Lucene: Robertson et al., "Okapi at TREC-3", with
 * idf = ln(1 + (N − n + ½) / (n + ½)), and BM25F's weighted fields (Robertson, Zaragoza, Taylor 2004).
 *
 * Takes about 100 µs a document of 100 words. An interruption is heard while documents come in; the last step, about
 * a third of the time, is one call of wink's that cannot be interrupted.
 *
 * @throws QuerentError `bad-config` for a wrong option; `bad-document`, with its position, for a wrong document or one
 *   whose docid came before. An aborted signal's reason.
 */
export async function buildWinkBm25(
  documents: Documents,
  { onProgress, signal, ...options }: WinkBm25Options & BuildOptions = {},
): Promise<WinkBm25> {
  const { k1, b, fields, stem, stopWords, name, keepDocuments } = parseConfig(optionsSchema, options, 'BM25')
  const engine = bm25()
  const weights = Object.fromEntries(Object.entries(fields).filter(([, weight]) => weight > 0))
  engine.defineConfig({ fldWeights: weights, bm25Params: { k1, b, k: 1 } })
  // The words themselves, so that an index keeps its own when a later version has others.
  const analysis = { stem, stopWords: stopWordList(stopWords) }
  engine.definePrepTasks([analyzer(analysis)])

  const docids: string[] = []
  const progress = { ...(onProgress && { onProgress }), ...(signal && { signal }) }
  const kept = keepDocuments ? new Map<string, Document>() : undefined
  for await (const document of checkedDocuments(documents, progress)) {
    const { docid, title = '', text } = document
    kept?.set(docid, document)
    // Known to wink by its position: numbers are small, and no docid can clash with what an object inherits.
    engine.addDoc({ title, text }, docids.length)
    docids.push(docid)
  }
  for (let empty = docids.length; empty < fewestDocuments; empty++)
    engine.addDoc({ title: '', text: '' }, empty)
  engine.consolidate(weightDecimals)
  return retrieverOf(name, { analysis, postings: readOut(engine, docids) }, kept)
}

/**
 * Opens the index that `save` wrote into a folder. Documents and queries are analyzed as they were when it was built.
 *
 * @throws QuerentError `bad-index` where the folder holds no such index or a damaged one.
 */
export async function loadWinkBm25(
  folder: string,
  options: Pick<WinkBm25Options, 'name'> = {},
): Promise<WinkBm25> {
  const { name } = parseConfig(optionsSchema, options, 'BM25')
  return retrieverOf(name, await readPostings(folder))
}

function retrieverOf(
  name: string,
  { analysis, postings }: SavedBm25,
  kept?: ReadonlyMap<string, Document>,
): WinkBm25 {
  const analyze = analyzer(analysis)
  return {
    name,
    kind: 'lexical',
    size: postings.docids.length,
    bringsDocuments: false,
    ...(kept && { documents: async (docids) => docids.map((docid) => kept.get(docid)) }),
    async retrieve(subQueries, options) {
      checkRequest(name, options)
      return subQueries.map((subQuery) => {
        const hits = searchPostings(postings, analyze(subQuery.text), options.k)
        return { retriever: name, subQuery, hits }
      })
    },
    save: (folder) => writePostings(folder, { analysis, postings }),
  }
}

/** Wink refuses to weigh fewer; empty documents, which are found by no word, make up for them. */
const fewestDocuments = 3

/** Wink rounds its weights; nine decimals are the most it allows. */
const weightDecimals = 9

/** Wink's weights, document by document, as postings: token by token. */
function readOut(engine: Engine, docids: readonly string[]): Postings {
  const learned = engine.getDocs()
  const tokens = new Map(Object.entries(engine.getTokens()))
  const offsets = new Uint32Array(tokens.size + 1)
  docids.forEach((_, position) => {
    for (const token of Object.keys(learned[position]!.freq)) offsets[Number(token) + 1]!++
  })
  for (let token = 0; token < tokens.size; token++) offsets[token + 1]! += offsets[token]!

  const next = offsets.slice()
  const documents = new Uint32Array(offsets[tokens.size]!)
  const weights = new Float64Array(offsets[tokens.size]!)
  docids.forEach((_, position) => {
    for (const [token, weight] of Object.entries(learned[position]!.freq)) {
      const index = next[Number(token)]!++
      documents[index] = position
      weights[index] = weight
    }
  })
  return { docids, tokens, offsets, documents, weights }
}
