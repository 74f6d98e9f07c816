/**
 * Reads and writes `index.json`, which describes an index and names the folder of its files. A build or an update replaces
 * this file in one rename. Readers therefore always see either the old index or the new one.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { issuesOf } from '../config.ts'
import { QuerentError } from '../errors.ts'
import { replaceFile } from '../runtime/atomic-file.ts'
import { isObject, jsonOf } from '../runtime/json.ts'
import { codeOf, sync } from './disk.ts'
import { shellQuoted } from './shell-quoted.ts'

/** The version of the file format. Increment it when indexes of older versions can no longer be read. */
const format = 3

/** The pattern of generations and their folders. Builds remove no other folders. */
export const generationName: RegExp = /^generation-[0-9a-f]{16}$/

const schema = z.object({
  /** The version of the file format. */
  format: z.literal(format),
  /** The version of Querent that wrote the index. */
  querent: z.string(),
  /** Identifies this state of the index: each build and each update gives it another name. */
  generation: z.string().regex(generationName),
  /** The subfolder with the files of the index. */
  folder: z.string().regex(generationName),
  /** Number of documents in the index. */
  documents: z.int().min(1),
  /**
   * After a build, the SHA-256 of the parsed corpus: the same documents in the same order have the same digest. An update
   * derives a new digest from the old one and the changes.
   */
  corpus: z.string(),
  /** Options of the BM25 index. */
  bm25: z.record(z.string(), z.unknown()),
  /** Present if the index has vectors. */
  dense: z
    .object({
      /** The model name or folder from which the embedder is loaded. */
      model: z.string(),
      /** The name of the embedder that computed the vectors. */
      name: z.string(),
      dimensions: z.int().min(1),
      /** The kind of FAISS index. */
      kind: z.string(),
      /** Options of the HNSW graph, if they are not the defaults. */
      hnsw: z.record(z.string(), z.int()).optional(),
      /** The file with the vectors of texts that were embedded. Its name identifies the weights of the model. */
      journal: z.string(),
    })
    .optional(),
  /** File → its size in bytes. Updates append to some: what comes after this size does not count yet. */
  files: z.record(z.string(), z.int().min(0)),
})

/**
 * What an index holds, and how it was made.
 *
 * @interface
 */
export type IndexManifest = Readonly<z.infer<typeof schema>>
export type DenseManifest = NonNullable<IndexManifest['dense']>

export function newManifest(
  values: Omit<IndexManifest, 'format' | 'querent'>,
  version: string,
): IndexManifest {
  return { format, querent: version, ...values }
}

/**
 * Reads the manifest of an index folder.
 *
 * @throws QuerentError `missing-file` if there is no index; `bad-index` if `index.json` is not a readable manifest
 */
export async function readManifest(folder: string): Promise<IndexManifest> {
  const path = join(folder, 'index.json')
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `There is no index in ${folder}: ${path} cannot be read`, {
      remedy: `Make it with \`querent index <corpus> --out ${shellQuoted(folder)}\`.`,
      cause,
    })
  })
  const value = jsonOf(text)
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const version = isObject(value) ? value.format : undefined
  const what =
    version !== undefined && version !== format
      ? `${path} has format ${JSON.stringify(version)}; this version of Querent reads format ${format}`
      : `${path} is not the manifest of an index: ${value === undefined ? 'it is not JSON' : issuesOf(read.error)}`
  throw new QuerentError('bad-index', what, {
    remedy: `Make it again with \`querent index <corpus> --out ${shellQuoted(folder)}\`.`,
  })
}

/** Makes `manifest` the current index of the folder, atomically. */
export async function commitManifest(folder: string, manifest: IndexManifest): Promise<void> {
  await replaceFile(join(folder, 'index.json'), [`${JSON.stringify(manifest, null, 2)}\n`])
  await sync(folder)
}

/**
 * The names of the folders with the files of the current index, if any.
 *
 * @throws QuerentError `bad-index` if Querent did not write `index.json`: a build never overwrites it
 */
export async function currentFolders(folder: string): Promise<ReadonlySet<string>> {
  const path = join(folder, 'index.json')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return new Set()
  const value = jsonOf(text)
  // A truncated manifest may be replaced.
  if (value === undefined) return new Set()
  if (!isObject(value) || !('querent' in value)) {
    throw new QuerentError('bad-index', `${path} is there and was not written by Querent`, {
      remedy: 'Choose another folder for the index, or remove that file.',
    })
  }
  // Of any version: until the next build has succeeded, another version may read it.
  return new Set(text.match(/generation-[0-9a-f]{16}/g))
}

/** @throws QuerentError `bad-index` if a file of the index is missing or was cut */
export async function checkFiles(folder: string, manifest: IndexManifest): Promise<void> {
  for (const [file, bytes] of Object.entries(manifest.files)) {
    const path = join(folder, file)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && found.size >= bytes) continue
    const what = found === undefined ? 'is missing' : `has ${found.size} bytes instead of ${bytes}`
    throw new QuerentError('bad-index', `The index in ${folder} is damaged: ${path} ${what}`, {
      remedy: `Make it again with \`querent index <corpus> --out ${shellQuoted(folder)}\`.`,
    })
  }
}
