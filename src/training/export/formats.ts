/** Formats examples for the data loaders of trainers, one JSON object per line. Every row has every key. */
import { extname } from 'node:path'
import { QuerentError } from '../../errors.ts'
import type { Message } from '../../types.ts'
import { workbenchExports } from './workbench.ts'

/** A judged query, independent of the format. */
export interface Example {
  readonly qid: string
  readonly question: string
  readonly messages: readonly Message[]
  /** Docids of the relevant documents. If absent, the reward server looks them up by `qid`. */
  readonly golds?: readonly string[]
  /** The name of the collection. */
  readonly collection: string
  readonly split: string
  /** The row number, from 0. */
  readonly index: number
}

/** What the loader of a trainer reads. */
export interface Format {
  /** Allowed file name extensions. The loaders detect the format by them. */
  readonly extensions: readonly string[]
  readonly row: (example: Example) => object
}

/**
 * verl's `RLHFDataset`. `extra_info.index` is the row number. A key missing in one row would become null in all rows. verl's
 * reward managers read `ground_truth` from every row, so it is empty if the relevant documents are omitted.
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

/** TRL passes every column but `prompt` to the reward function. */
const trl: Format = {
  extensions: ['.json', '.jsonl'],
  row: ({ qid, messages, golds }) => ({ prompt: messages, query_id: qid, ...(golds && { gold: golds }) }),
}

/** NeMo Gym's clients send the whole row to the reward server, and only `responses_create_params` to the model. */
const nemoGym: Format = {
  extensions: ['.jsonl'],
  row: ({ qid, messages, golds }) => ({
    responses_create_params: { input: messages },
    query_id: qid,
    ...(golds && { ground_truth: golds }),
  }),
}

/** GEPA's `DefaultAdapter` sends `input` behind the prompt that it improves, which begins as `system`. The rest is for `gepa_rewards.py`. */
const gepa: Format = {
  extensions: ['.jsonl'],
  row: ({ qid, messages, golds }) => ({
    input: messages.at(-1)!.content,
    additional_context: {},
    answer: '',
    system: messages[0]!.content,
    query_id: qid,
    ...(golds && { gold: golds }),
  }),
}

/** OpenRLHF and slime read only one column besides the prompt, and it must be text. */
const labeled = ({ qid, messages, golds }: Example): object => ({
  prompt: messages,
  label: JSON.stringify({ query_id: qid, ...(golds && { gold: golds }) }),
})

export const formats: Readonly<Record<string, Format>> = {
  verl,
  trl,
  openrlhf: { extensions: ['.json', '.jsonl'], row: labeled },
  slime: { extensions: ['.jsonl'], row: labeled },
  'nemo-gym': nemoGym,
  gepa,
}

/**
 * A chat in the format that most trainers read for supervised fine-tuning. verl needs it converted to parquet by
 * `to_parquet.py`.
 */
export const sftRow = ({ messages }: Example, completion: string): object => chatOf(messages, completion)

/** The messages and the model's completion of them. */
export const chatOf = (
  messages: readonly Message[],
  completion: string,
): { readonly messages: readonly Message[] } => ({
  messages: [...messages, { role: 'assistant', content: completion }],
})

export const sft = 'sft'

export const exportNames: readonly string[] = [...Object.keys(formats), sft]

/** Exports that need rollouts. `rolloutExports` has them all, but its module imports this one. */
const ofRolloutsAlone: readonly string[] = ['steps', 'preferences']

/** @throws QuerentError `bad-config` for an unknown trainer, one that needs rollouts, or a file name that its loader rejects */
export function checkExport(to: string, out: string): void {
  if (ofRolloutsAlone.includes(to)) {
    throw new QuerentError('bad-config', `The export to ${to} needs --rollouts`, {
      remedy: 'Name a file of `querent rollouts` with --rollouts, in place of a collection.',
    })
  }
  if (!exportNames.includes(to)) {
    throw new QuerentError('bad-config', `There is no export to ${JSON.stringify(to)}`, {
      remedy: `Those that exist are ${[...exportNames, ...workbenchExports].join(', ')}, and with --rollouts ${ofRolloutsAlone.join(' and ')}.`,
    })
  }
  const { extensions } = to === sft ? trl : formats[to]!
  if (extensions.includes(extname(out))) return
  throw new QuerentError('bad-config', `${to} does not read ${out}: it goes by the end of the name`, {
    remedy: `Call it ${extensions.map((extension) => `something${extension}`).join(' or ')}.`,
  })
}
