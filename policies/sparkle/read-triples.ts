/** A file of facts that were made before: one line per document, as `querent triples` writes it. */
import { open } from 'node:fs/promises'
import { z } from 'zod'
import { QuerentError } from '../../src/errors.ts'
import { jsonOf } from '../../src/runtime/json.ts'
import type { Document } from '../../src/types.ts'
import { sentencesAsTriples, type Triple, type TripleStore } from './triples.ts'

/** A line: the facts of a document, as head, relation and tail. */
const tripleLine = z.object({
  docid: z.string().min(1),
  triples: z.array(z.tuple([z.string(), z.string(), z.string()])),
})

/**
 * The store of a file. It is read into memory. Documents without facts in it have their first sentences.
 *
 * @param path each line is `{"docid": "d1", "triples": [["Ulysses", "author", "James Joyce"]]}`
 * @throws QuerentError `missing-file`; `bad-file` naming the line
 */
export async function readTriples(path: string): Promise<TripleStore> {
  const facts = new Map<string, readonly Triple[]>()
  const file = await open(path).catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The triples ${path} cannot be read`, { cause })
  })
  let number = 0
  for await (const line of file.readLines()) {
    number++
    if (line.trim() === '') continue
    const { data, error } = tripleLine.safeParse(jsonOf(line))
    if (data === undefined)
      throw new QuerentError('bad-file', `${path}:${number}: the line is not the triples of a document`, {
        cause: error,
        remedy: 'A line is {"docid": "…", "triples": [["head", "relation", "tail"], …]}.',
      })
    const { docid, triples } = data
    facts.set(
      docid,
      triples.map(([head, relation, tail]) => ({ head, relation, tail, docid })),
    )
  }
  const sentences = sentencesAsTriples()
  const ofOne = async (document: Document): Promise<readonly Triple[]> => {
    const known = facts.get(document.docid) ?? []
    return known.length > 0 ? known : sentences.of([document])
  }
  return { of: async (documents) => (await Promise.all(documents.map(ofOne))).flat() }
}
