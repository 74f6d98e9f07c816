/** The judged collections that the shipped policies are trained on, in their order. */
import { join } from 'node:path'

/** Where a collection's files are, among the collections beside the checkout. */
export interface Source {
  readonly name: string
  /** Default: the name. */
  readonly folder?: string
  /** The folder of the collection whose index it shares. Default: its own. */
  readonly index?: string
  /** Default: test. */
  readonly split?: string
  /** Files of the folder in place of the usual ones. */
  readonly queries?: string
  readonly qrels?: string
}

/** The folder of the collection whose index it shares, or its own. */
export const indexOf = ({ name, folder = name, index = folder }: Source): string => index

/** Its split and files, for `readBeir`. @param folder of the collection */
export const filesOf = (folder: string, { split, queries, qrels }: Source) => ({
  ...(split && { split }),
  ...(queries && { queries: join(folder, queries) }),
  ...(qrels && { qrels: join(folder, qrels) }),
})

export const trainingSources: readonly Source[] = [
  { name: 'hotpotqa-train' },
  { name: '2wikimultihopqa-train' },
  { name: 'musique-train' },
  { name: 'mtrag' },
  { name: 'scifact', split: 'train' },
  { name: 'nq-train' },
  { name: 'boolq-train', index: 'nq-train' },
  { name: 'squad-train', index: 'nq-train' },
  { name: 'feedbackqa-train' },
  { name: 'cosqa-train' },
  { name: 'esci-mini-train' },
  { name: 'cacm' },
  { name: 'npl-vaswani' },
  { name: 'musique-singlehop-train', index: 'musique-train' },
  {
    name: 'musique-singlehop-filled',
    folder: 'musique-singlehop-train',
    index: 'musique-train',
    queries: 'queries.filled.jsonl',
    qrels: 'qrels.filled.tsv',
  },
]

/** The names of the collections of each corpus. */
export function namesByCorpus(sources: readonly Source[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>()
  for (const source of sources)
    groups.set(indexOf(source), [...(groups.get(indexOf(source)) ?? []), source.name])
  return [...groups.values()]
}
