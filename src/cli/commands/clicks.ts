import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { QuerentError } from '../../errors.ts'
import { writeBeirQrels, writeQueries } from '../../evaluation/beir.ts'
import { foldsOf } from '../../learn/folds.ts'
import { type ClickedSearch, type ClickJudgements, judgementsOfClicks } from '../../training/data/clicks.ts'
import { conversationOf } from '../../training/data/conversations.ts'
import { readClicks } from '../../training/data/read-clicks.ts'
import { relevantOf } from '../../training/data/relevant-docs.ts'
import type { Qrels } from '../../types.ts'
import { required } from '../open/build-search.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import { addCommand } from '../settings/command.ts'

/** One query in so many is kept for testing. */
const parts = 5

/** `querent clicks <log> --out <folder>` */
export function addClicks(program: Command, terminal: Terminal): void {
  addCommand(program, {
    usage: 'clicks <log>',
    summary: 'make judgements of a click log',
    settings: ['out', 'seed', 'everyClick', 'json'],
    examples: [
      [
        'querent clicks clicks.jsonl --out judged',
        'a line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}',
      ],
      ['querent train judged --index my-index --out policy.json', 'trains on four fifths of its queries'],
    ],
    async run([log], settings) {
      const { signal } = terminal
      const out = required(settings, 'out')
      const files = { queries: join(out, 'queries.jsonl'), qrels: join(out, 'qrels') }
      const taken = [files.queries, `${files.queries}.gz`, files.qrels].find(existsSync)
      if (taken !== undefined)
        throw new QuerentError('write-failed', `${taken} is there already`, {
          remedy: 'Choose another folder.',
        })
      const searches: ClickedSearch[] = []
      for await (const search of readClicks(log as string, { signal })) searches.push(search)
      const judged = judgementsOfClicks(searches, { everyClick: settings.everyClick })
      if (judged.queries.length === 0)
        throw new QuerentError('cannot-teach', `No click of ${log} satisfied anybody`, {
          remedy:
            'Each of `clicks` must be one of the docids of `shown`; where `seconds` are given, some must be 30 or more; ' +
            'and a document must satisfy at least half of the searches that examined it.',
        })
      const { train, test } = splitInTwo(judged, settings.seed ?? 1)
      await mkdir(files.qrels, { recursive: true })
      await writeQueries(files.queries, judged.queries, { signal })
      await writeBeirQrels(join(files.qrels, 'train.tsv'), train, { signal })
      if (test.size > 0) await writeBeirQrels(join(files.qrels, 'test.tsv'), test, { signal })
      else
        say(
          terminal,
          'All queries hang together by the documents that they share: none can be kept for testing.',
        )

      const counts = {
        searches: searches.length,
        unclicked: judged.unclicked,
        queries: judged.queries.length,
        train: train.size,
        test: test.size,
      }
      if (settings.json) printJson(terminal, { out, ...counts })
      else
        say(
          terminal,
          `${out}: ${counts.queries} judged queries of ${counts.searches} searches (${counts.unclicked} without a click), ` +
            `${counts.train} to train on and ${counts.test} to test with`,
        )
    },
  })
}

/**
 * Queries with a relevant document in common, and those of one conversation, are on the same side. The test side is the fold
 * whose size comes nearest to a fifth; empty where all queries hang together.
 */
function splitInTwo(
  { queries, qrels }: ClickJudgements,
  seed: number,
): { readonly train: Qrels; readonly test: Qrels } {
  const keys = queries.map((query) => [
    conversationOf(query),
    ...relevantOf(qrels.get(query.qid)).map((docid) => `document ${docid}`),
  ])
  const folds = foldsOf(keys, parts, seed)
  const sizes = new Map<number, number>()
  for (const fold of folds) sizes.set(fold, (sizes.get(fold) ?? 0) + 1)
  const distance = (size: number): number => Math.abs(size - queries.length / parts)
  const byDistance = [...sizes].sort(([a, one], [b, other]) => distance(one) - distance(other) || b - a)
  const chosen = sizes.size < 2 ? undefined : byDistance[0]![0]
  const side = (isTest: boolean): Qrels =>
    new Map(
      queries.flatMap(({ qid }, place) =>
        (folds[place] === chosen) === isTest ? [[qid, qrels.get(qid)!] as const] : [],
      ),
    )
  return { train: side(false), test: side(true) }
}
