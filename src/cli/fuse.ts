import type { Command } from 'commander'
import { fusionByName } from '../../fusion/index.ts'
import { readRun, writeRun } from '../evaluation/trec.ts'
import type { FuseOptions, Fusion, Hit, Run } from '../types.ts'
import { addCommand } from './command.ts'
import { required } from './open-search.ts'
import { checkWritable } from './output-file.ts'
import { printJson, say, type Terminal } from './terminal.ts'

/** `querent fuse <run> <run> … --fusion rank-score --out fused.trec` */
export function addFuse(program: Command, terminal: Terminal): void {
  addCommand(program, {
    usage: 'fuse <runs...>',
    summary: 'merge TREC run files into one',
    settings: ['fusion', 'norm', 'weights', 'depth', 'out', 'json'],
    examples: [
      ['querent fuse bm25.trec dense.trec --fusion rank-score --out fused.trec', 'all hits of both'],
      ['querent fuse a.trec b.trec.gz --fusion weighted-sum --weights 2,1 --out fused.trec', 'weighted'],
    ],
    async run([paths], settings) {
      const out = required(settings, 'out')
      const fusion = fusionByName(settings.fusion ?? 'rank-score')
      await checkWritable(out)
      const runs = new Map<string, Run>()
      for (const path of paths as readonly string[]) {
        runs.set(path, await readRun(path, { signal: terminal.signal }))
      }
      const fused = fuseRuns(runs, fusion, {
        ...(settings.norm !== undefined && { norm: settings.norm }),
        ...(settings.weights !== undefined && { weights: settings.weights }),
        ...(settings.depth !== undefined && { depth: settings.depth }),
      })
      await writeRun(out, fused, { signal: terminal.signal })
      const hits = [...fused.values()].reduce((sum, list) => sum + list.length, 0)
      if (settings.json) printJson(terminal, { queries: fused.size, hits, fusion: fusion.name, out })
      else say(terminal, `${out}: ${fused.size} queries, ${hits} hits, fused with ${fusion.name}`)
    },
  })
}

/**
 * Runs merged query by query. They count as lists of one retriever, whose raw scores can be compared; a query that a run
 * does not have is an empty list of that run.
 */
function fuseRuns(runs: ReadonlyMap<string, Run>, fusion: Fusion, options: FuseOptions): Run {
  const qids = new Set([...runs.values()].flatMap((run) => [...run.keys()]))
  const fused = new Map<string, Hit[]>()
  for (const qid of qids) {
    const lists = Array.from(runs, ([path, run]) => ({
      retriever: 'run',
      subQuery: { text: path, stage: 1 as const },
      hits: run.get(qid) ?? [],
    }))
    fused.set(qid, fusion.fuse(lists, options))
  }
  return fused
}
