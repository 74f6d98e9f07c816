import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { QuerentError } from '../../errors.ts'
import { fitsBeir, writeBeirQrels, writeQueries } from '../../evaluation/beir.ts'
import { type ClickJudgments, judgmentsOfClicks } from '../../training/data/clicks.ts'
import { holdOut } from '../../training/data/hold-out.ts'
import { type ClickLog, readClickLog } from '../open/click-log.ts'
import { count } from '../output/count.ts'
import { printJson, say } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** `querent clicks <log> --out <folder>`, `querent clicks --engine <kind> --url <url> --out <folder>` */
export const runClicks: Run<SettingsOf<'clicks'>> = async ([log], settings, terminal) => {
  const { signal } = terminal
  const out = required(settings, 'out')
  const files = { queries: join(out, 'queries.jsonl'), qrels: join(out, 'qrels') }
  const taken = [files.queries, `${files.queries}.gz`, files.qrels].find(existsSync)
  if (taken !== undefined)
    throw new QuerentError('write-failed', `${taken} exists`, { remedy: 'Choose another folder.' })
  const { name, searches, unclicked, remedy, placeOf } = await readClickLog(log, settings, terminal)
  const judged = judgmentsOfClicks(searches, { everyClick: settings.everyClick })
  if (judged.queries.length === 0)
    throw new QuerentError('unusable-judgments', `No click in ${name} counts as satisfied`, {
      remedy: `${remedy} A document must satisfy at least half of the searches that examined it.`,
    })
  checkIdentifiers(judged, placeOf)
  const { train, heldOut: test } = holdOut(judged.queries, judged.qrels, settings.seed ?? 1)
  const judgmentsOf = (queries: ClickJudgments['queries']) =>
    new Map(queries.map(({ qid }) => [qid, judged.qrels.get(qid)!]))
  await mkdir(files.qrels, { recursive: true }).catch((cause: unknown) => {
    throw new QuerentError('write-failed', `The folder ${out} cannot be made`, {
      remedy: 'Choose a folder where you may write, and which is not a file.',
      cause,
    })
  })
  try {
    await writeQueries(files.queries, judged.queries, { signal })
    await writeBeirQrels(join(files.qrels, 'train.tsv'), judgmentsOf(train), { signal })
    if (test.length > 0) await writeBeirQrels(join(files.qrels, 'test.tsv'), judgmentsOf(test), { signal })
  } catch (error) {
    // The next run would take one half of them for a folder in use.
    for (const file of Object.values(files)) await rm(file, { recursive: true, force: true })
    throw error
  }
  if (test.length === 0)
    say(terminal, 'All queries are connected by shared documents, so no query can be held out for testing.')

  const counts = {
    searches: searches.length + unclicked,
    unclicked: judged.unclicked + unclicked,
    queries: judged.queries.length,
    train: train.length,
    test: test.length,
  }
  if (settings.json) printJson(terminal, { out, ...counts })
  else
    say(
      terminal,
      `${out}: ${count(counts.queries, 'judged query', 'judged queries')} from ` +
        `${count(counts.searches, 'search', 'searches')} (${counts.unclicked} without a click), ` +
        `${counts.train} for training and ${counts.test} for testing`,
    )
}

/** @throws QuerentError `bad-file` with the place of an identifier that cannot be written */
function checkIdentifiers({ qrels }: ClickJudgments, placeOf: ClickLog['placeOf']): void {
  for (const [qid, grades] of qrels) {
    const unfit = [qid, ...grades.keys()].find((id) => !fitsBeir(id))
    if (unfit === undefined) continue
    throw new QuerentError(
      'bad-file',
      `${placeOf(unfit)}: the identifier ${JSON.stringify(unfit)} cannot be written as a judgment`,
      { remedy: 'Leave that search out, or use identifiers without tabs and line breaks.' },
    )
  }
}
