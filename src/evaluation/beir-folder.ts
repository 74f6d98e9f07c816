/**
 * Finds and reads the files of a BEIR collection. Two layouts are supported: `qrels/<split>.tsv` with `queries.jsonl`, and
 * `qrels.<split>.tsv` with `queries.<split>.jsonl`. In the second, `qrels.tsv` and `queries.jsonl` are the fallbacks. Every
 * file may be compressed (`.gz`).
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError, toError } from '../errors.ts'
import { byCodeUnit } from '../rank.ts'
import type { Qrels, Query } from '../types.ts'
import { readQueries } from './beir.ts'
import type { ReadOptions } from './lines.ts'
import { readQrels } from './trec.ts'

/** The default split. Files without a split in their names belong to it. */
const defaultSplit = 'test'

export interface BeirOptions extends ReadOptions {
  /** Default: `test`. */
  readonly split?: string
  /** Reads the queries from this file instead of the folder's. */
  readonly queries?: string
  /** Reads the judgments from this file, in BEIR's or TREC's columns, instead of the folder's. */
  readonly qrels?: string
}

/** The files of one split. */
export interface BeirFiles {
  readonly split: string
  readonly queries: string
  readonly qrels: string
}

export interface BeirCollection {
  readonly queries: readonly Query[]
  readonly qrels: Qrels
  /** The files that were read, to show to the user. */
  readonly files: BeirFiles
}

/**
 * Reads the queries and judgments of one split.
 *
 * `qrels/<split>.tsv` takes precedence over `qrels.<split>.tsv`. Files without a split in their names belong to the split
 * `test`. Queries come from `queries.<split>.jsonl` if that file exists and the judgments are not in the folder `qrels`.
 * Otherwise they come from `queries.jsonl`.
 *
 * @throws QuerentError `missing-file` if the folder has no such files; `bad-config` if it does not have the split (the
 * message lists the splits that it has); and the errors of `readQueries` and `readQrels`
 */
export async function readBeir(folder: string, options: BeirOptions = {}): Promise<BeirCollection> {
  const files = await findBeir(folder, options)
  const [queries, qrels] = await Promise.all([
    readQueries(files.queries, options),
    readQrels(files.qrels, options),
  ])
  return { queries, qrels, files }
}

/** The path of a folder's corpus: `corpus.jsonl` or `corpus.jsonl.gz`. @throws QuerentError `missing-file` */
export async function findCorpus(folder: string): Promise<string> {
  return join(folder, requireFile(folder, await listing(folder), ['corpus.jsonl']))
}

/** The files that `readBeir` reads. @throws QuerentError as `readBeir` does */
export async function findBeir(
  folder: string,
  { split = defaultSplit, queries, qrels }: BeirOptions = {},
): Promise<BeirFiles> {
  const names = queries !== undefined && qrels !== undefined ? new Set<string>() : await listing(folder)
  // Judgments first: their file names tell which splits exist.
  const judgments = qrels ?? join(folder, findQrels(folder, names, split))
  const inFolder = hasFile(names, `qrels/${split}.tsv`)
  return {
    split,
    queries:
      queries ??
      join(
        folder,
        requireFile(folder, names, [...(inFolder ? [] : [`queries.${split}.jsonl`]), 'queries.jsonl']),
      ),
    qrels: judgments,
  }
}

function findQrels(folder: string, names: ReadonlySet<string>, split: string): string {
  const candidates = [
    `qrels/${split}.tsv`,
    `qrels.${split}.tsv`,
    ...(split === defaultSplit ? ['qrels.tsv'] : []),
  ]
  const splits = splitsOf(names)
  if (splits.length === 0 || candidates.some((name) => hasFile(names, name)))
    return requireFile(folder, names, candidates)
  throw new QuerentError('bad-config', `${folder} has no judgments for the split "${split}"`, {
    remedy: `Choose one of its splits: ${splits.join(', ')}.`,
  })
}

/** The splits with judgments, in alphabetical order. */
function splitsOf(names: ReadonlySet<string>): string[] {
  const splits = [...names].flatMap((name) => {
    const match = /^qrels(?:[./](?<split>.+))?\.tsv(?:\.gz)?$/.exec(name)
    return match === null ? [] : [match.groups?.split ?? defaultSplit]
  })
  return [...new Set(splits)].sort(byCodeUnit)
}

function hasFile(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name) || names.has(`${name}.gz`)
}

/** The first of `candidates` that exists, compressed or not. */
function requireFile(folder: string, names: ReadonlySet<string>, candidates: readonly string[]): string {
  const name = candidates
    .flatMap((candidate) => [candidate, `${candidate}.gz`])
    .find((file) => names.has(file))
  if (name !== undefined) return name
  throw new QuerentError('missing-file', `${folder} holds no ${candidates.join(' or ')}`, {
    remedy: 'Give the folder of a collection in the layout of BEIR.',
  })
}

/** The files of a folder and of its subfolder `qrels`. */
async function listing(folder: string): Promise<Set<string>> {
  try {
    const names = await readdir(folder)
    const judged = names.includes('qrels') ? await readdir(join(folder, 'qrels')) : []
    return new Set([...names, ...judged.map((name) => `qrels/${name}`)])
  } catch (thrown) {
    const cause = toError(thrown)
    throw new QuerentError('missing-file', `The folder ${folder} cannot be read (${cause.message})`, {
      cause,
    })
  }
}
