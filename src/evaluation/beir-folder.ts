/**
 * The folder of a BEIR collection, in both layouts: `qrels/<split>.tsv` with `queries.jsonl`, and `qrels.<split>.tsv` with
 * `queries.<split>.jsonl`, else `qrels.tsv` with `queries.jsonl`. Every file may be `.gz` packed.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError, toError } from '../errors.ts'
import { byCodeUnit } from '../rank.ts'
import type { Qrels, Query } from '../types.ts'
import { readQueries } from './beir.ts'
import type { ReadOptions } from './lines.ts'
import { readQrels } from './trec.ts'

/** The split that is taken where none is asked for, and the one that files without a split in their names hold. */
const defaultSplit = 'test'

export interface BeirOptions extends ReadOptions {
  /** Default: `test`. */
  readonly split?: string
  /** A file of queries to take in place of the folder's. */
  readonly queries?: string
  /** A file of judgments, in BEIR's or TREC's columns, to take in place of the folder's. */
  readonly qrels?: string
}

/** Which files of a folder belong to a split. */
export interface BeirFiles {
  readonly split: string
  readonly queries: string
  readonly qrels: string
}

export interface BeirCollection {
  readonly queries: readonly Query[]
  readonly qrels: Qrels
  /** What was taken, for the user to see. */
  readonly files: BeirFiles
}

/**
 * Reads the queries and judgments of one split.
 *
 * `qrels/<split>.tsv` comes first, then `qrels.<split>.tsv`; files without a split in their names are the split `test`.
 * Queries come from `queries.<split>.jsonl` where that file exists and the judgments are not in a folder of their own,
 * else from `queries.jsonl`.
 *
 * @throws QuerentError `missing-file` for a folder without such files, `bad-config` for a split that it does not have, with
 * those that it has; what `readQueries` and `readQrels` throw
 */
export async function readBeir(folder: string, options: BeirOptions = {}): Promise<BeirCollection> {
  const files = await findBeir(folder, options)
  const [queries, qrels] = await Promise.all([
    readQueries(files.queries, options),
    readQrels(files.qrels, options),
  ])
  return { queries, qrels, files }
}

/** The corpus of a folder: `corpus.jsonl`, or `corpus.jsonl.gz`. @throws QuerentError `missing-file` */
export async function findCorpus(folder: string): Promise<string> {
  return join(folder, found(folder, await listing(folder), ['corpus.jsonl']))
}

/** Which files `readBeir` reads. @throws QuerentError as `readBeir` */
export async function findBeir(
  folder: string,
  { split = defaultSplit, queries, qrels }: BeirOptions = {},
): Promise<BeirFiles> {
  const names = queries !== undefined && qrels !== undefined ? new Set<string>() : await listing(folder)
  // The judgments first: they say which splits there are.
  const judgments = qrels ?? join(folder, findQrels(folder, names, split))
  const inFolder = hasFile(names, `qrels/${split}.tsv`)
  return {
    split,
    queries:
      queries ??
      join(folder, found(folder, names, [...(inFolder ? [] : [`queries.${split}.jsonl`]), 'queries.jsonl'])),
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
    return found(folder, names, candidates)
  throw new QuerentError('bad-config', `${folder} has no judgments for the split "${split}"`, {
    remedy: `Choose one of its splits: ${splits.join(', ')}.`,
  })
}

/** The splits that a folder has judgments for, in alphabetical order. */
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

/** The first of `candidates` that is there, packed or not. */
function found(folder: string, names: ReadonlySet<string>, candidates: readonly string[]): string {
  const name = candidates
    .flatMap((candidate) => [candidate, `${candidate}.gz`])
    .find((file) => names.has(file))
  if (name !== undefined) return name
  throw new QuerentError('missing-file', `${folder} holds no ${candidates.join(' or ')}`, {
    remedy: 'Give the folder of a collection in the layout of BEIR.',
  })
}

/** The files of a folder, and those of its folder `qrels`. */
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
