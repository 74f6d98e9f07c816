/**
 * What an answering policy makes of the sample with completions that a language model wrote once (src/sample/README.md): metrics of
 * answers, and prompts per question. If prompts have changed, it prints how many completions are missing instead, and writes those
 * prompts to a file: a person or a model writes their completions from the messages alone, and the run is repeated until none is
 * missing.
 *
 *     npx tsx bench/recorded-answers.ts mmoa|c3po [--pending pending.jsonl]
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { c3po } from '../policies/c-3po/c-3po.ts'
import { mmoa } from '../policies/mmoa-rag/mmoa.ts'
import { figuresOf, recordedCompletions, replay } from '../test/support/recorded-answers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pending: { type: 'string' } },
})
const policies = { mmoa, c3po }
const [name = ''] = positionals
if (!Object.hasOwn(policies, name)) throw new Error(`Name a policy: ${Object.keys(policies).join(', ')}.`)
const policy = policies[name as keyof typeof policies]()

const replayed = await replay(policy, await recordedCompletions(name))
console.log('recorded completions:', await figuresOf(replayed))
if (values.pending !== undefined) {
  const lines = replayed.missing.map((prompt) => `${JSON.stringify(prompt)}\n`)
  await writeFile(values.pending, lines.join(''))
}
