import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { QuerentError } from '../../errors.ts'
import { readQueries, writeQueries } from '../../evaluation/beir.ts'
import { readQrels, writeQrels } from '../../evaluation/trec.ts'
import { costOf } from '../../prices.ts'
import type { Pair } from '../../training/labels/grade-prompt.ts'
import { openLabels } from '../../training/labels/labels.ts'
import type { Qrels } from '../../types.ts'
import { checkSearched, openSettingsIndex } from '../open/build-search.ts'
import { chatModelOf } from '../open/chat-model.ts'
import { modelJudge } from '../open/judged.ts'
import { pooled } from '../open/pooled.ts'
import { allFailed, resumable } from '../open/resumable.ts'
import { agreementLines, agreementOf } from '../output/agreement.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { say, type Terminal, tell } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import { readText } from '../settings/config-file.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'

/** Tokens of a completion that is a grade and nothing else. */
const gradeTokens = 2

/** `querent label <queries> --index <dir> --out <folder>` */
export const run: Run<SettingsOf<'label'>> = async ([file], settings, terminal) => {
  const { signal } = terminal
  const { concurrency, limit, rubric } = settings
  const out = required(settings, 'out')
  const model = await chatModelOf('Labeling', settings, terminal)
  checkSearched(settings, settings.retrievers)
  const meaning = rubric === undefined ? undefined : await readText(rubric, 'The rubric')
  const queries = (await readQueries(file!, { signal })).slice(0, limit) as Pair['query'][]
  const people: Qrels = settings.qrels === undefined ? new Map() : await readQrels(settings.qrels, { signal })
  const files = await filesIn(out, [file, settings.qrels, rubric])

  const index = await openSettingsIndex(settings, terminal, settings.retrievers)
  const pairs = await pooled(queries, people, index, settings, terminal).finally(() => index.close())
  const labels = await openLabels({ model, out: files.labels, rubric: meaning, concurrency, signal })
  const price = settings.prices?.[model.name]
  const { asks, tokens } = labels.left(pairs)
  const usd = costOf({ prompt: tokens, completion: asks * gradeTokens }, price)
  const dollars = usd === undefined ? 'dollars unknown (--set prices=…)' : `about $${usd.toPrecision(3)}`
  if (asks > 0) {
    say(
      terminal,
      `${count(pairs.length, 'document')} for ${queryCount(queries.length)}. Left to ask of ${model.name}: ${count(asks, 'prompt')}, about ${tokens} tokens, ${dollars}; half as much again if its readings always differ, more if it thinks.`,
    )
    if (settings.yes !== true && !(await isWanted(terminal))) return
  }
  const { firstFailure, ...asked } = await resumable(files.labels, terminal, (progress) =>
    labels.ask(pairs, (done) => progress.update('labeling', done, asks)),
  )

  const qrels = new Map(queries.map(({ qid }) => [qid, new Map<string, number>()]))
  const graded = pairs.filter((pair) => labels.gradeOf(pair) !== undefined)
  for (const pair of graded) qrels.get(pair.query.qid)!.set(pair.document.docid, labels.gradeOf(pair)!)
  const failed = pairs.length - graded.length
  if (graded.length === 0 && firstFailure !== undefined)
    throw allFailed(count(failed, 'document'), firstFailure)
  const agreement = agreementOf(labels, pairs, people)
  for (const line of agreementLines(agreement)) say(terminal, line)
  await writeQueries(files.queries, queries, { signal })
  await writeQrels(files.qrels, qrels, { signal, judge: modelJudge(model.name, agreement.people.alpha) })
  const made = { model: model.name, queries: queries.length, documents: graded.length, failed }
  tell(terminal, settings, { out, ...made, ...asked, usd: costOf(asked.tokens, price), agreement }, [
    `${out}: ${count(graded.length, 'document')} graded for ${queryCount(queries.length)}, ${asked.tokens.prompt + asked.tokens.completion} tokens in this run`,
    ...(firstFailure === undefined
      ? []
      : [
          `${count(failed, 'document')} failed. Run the same command again to try again. The first reason: ${firstFailure.message}`,
        ]),
  ])
}

/** The files of a folder that is new, or that this command began. @throws QuerentError `write-failed`, `bad-config` */
async function filesIn(out: string, read: readonly (string | undefined)[]) {
  const [queries, qrels] = [join(out, 'queries.jsonl'), join(out, 'qrels.tsv')]
  const files = { labels: join(out, 'labels.jsonl'), queries, qrels }
  const taken = existsSync(files.labels) ? undefined : [queries, qrels].find(existsSync)
  const failed = (what: string, cause?: unknown): QuerentError =>
    new QuerentError('write-failed', what, { remedy: 'Choose another folder.', cause })
  if (taken !== undefined) throw failed(`${taken} exists`)
  await mkdir(out, { recursive: true }).catch((cause: unknown) => {
    throw failed(`The folder ${out} cannot be made`, cause)
  })
  await checkOutputs({ '--out': queries, 'The judgments': qrels }, read)
  return files
}

/** Whether the user types a yes. @throws QuerentError `bad-config` without a terminal; the signal's reason */
async function isWanted({ stdin, stderr, signal }: Terminal): Promise<boolean> {
  const isTerminal = 'isTTY' in stdin && stdin.isTTY === true
  refuse(!isTerminal, 'There is no terminal to ask on', 'Add --yes to begin without a question.')
  stderr.write('Begin? [y/N] ')
  // Not as a terminal: Ctrl-C then reaches the process.
  for await (const line of createInterface({ input: stdin, terminal: false, signal }))
    return /^\s*y(?:es)?\s*$/i.test(line)
  signal.throwIfAborted()
  return false
}
