/** The rows that the loaders of four trainers read as they are, one JSON object a line. Every row has every key. */
import { extname } from 'node:path'
import { QuerentError } from '../../errors.ts'
import type { Message } from '../../types.ts'

/** A judged query, as every format has it. */
export interface Example {
  readonly qid: string
  readonly question: string
  readonly messages: readonly Message[]
  /** Docids of the relevant documents; absent where they stay with the server, which then goes by `qid`. */
  readonly golds?: readonly string[]
  /** The name of the collection. */
  readonly collection: string
  readonly split: string
  /** Its place in the file, from 0. */
  readonly index: number
}

interface Format {
  /** How the file's name must end: the loaders tell formats by it. */
  readonly extensions: readonly string[]
  readonly row: (example: Example) => object
}

/**
 * verl's `RLHFDataset`: `extra_info.index` is its row number, and a key that a row lacks would be null in all. Its reward
 * managers take `ground_truth` from every row: where the relevant documents stay away it is empty.
 */
const verl: Format = {
  extensions: ['.json'],
  row: ({ qid, question, messages, golds, collection, split, index }) => ({
    data_source: `querent/${collection}`,
    prompt: messages,
    ability: 'query-rewriting',
    reward_model: { style: 'rule', ground_truth: golds ?? [] },
    extra_info: { split, index, query_id: qid, question },
  }),
}

/** TRL hands every column but `prompt` to the reward function. */
const trl: Format = {
  extensions: ['.json', '.jsonl'],
  row: ({ qid, messages, golds }) => ({ prompt: messages, query_id: qid, ...(golds && { gold: golds }) }),
}

/** OpenRLHF and slime know one column beside the prompt, and it is text. */
const labeled = ({ qid, messages, golds }: Example): object => ({
  prompt: messages,
  label: JSON.stringify({ query_id: qid, ...(golds && { gold: golds }) }),
})

export const formats: Readonly<Record<string, Format>> = {
  verl,
  trl,
  openrlhf: { extensions: ['.json', '.jsonl'], row: labeled },
  slime: { extensions: ['.jsonl'], row: labeled },
}

/** Chats, as most trainers read them for supervised fine-tuning; verl once `to_parquet.py` has made parquet of the file. */
export function sftRow({ messages }: Example, completion: string): object {
  return { messages: [...messages, { role: 'assistant', content: completion }] }
}

export const sft = 'sft'

export const exportNames: readonly string[] = [...Object.keys(formats), sft]

/** @throws QuerentError `bad-config` for a trainer that is not known, and a file name that its loader refuses */
export function checkExport(to: string, out: string): void {
  if (!exportNames.includes(to)) {
    throw new QuerentError('bad-config', `There is no export to ${JSON.stringify(to)}`, {
      remedy: `Those that exist are ${exportNames.join(', ')}.`,
    })
  }
  const { extensions } = to === sft ? trl : formats[to]!
  if (extensions.includes(extname(out))) return
  throw new QuerentError('bad-config', `${to} does not read ${out}: it goes by the end of the name`, {
    remedy: `Call it ${extensions.map((extension) => `something${extension}`).join(' or ')}.`,
  })
}
