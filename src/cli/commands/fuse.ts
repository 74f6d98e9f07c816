import type { Command } from 'commander'
import { fuseRuns } from '../../../fusion/fuse-runs.ts'
import { fusionByName } from '../../../fusion/index.ts'
import { readRun, writeRun } from '../../evaluation/trec.ts'
import type { Run } from '../../types.ts'
import { required } from '../open/build-search.ts'
import { checkWritable } from '../output/output-file.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import { addSettings } from '../settings/command.ts'

/** `querent fuse <run> <run> … --fusion rank-score --out fused.trec` */
export function addFuse(command: Command, terminal: Terminal): void {
  addSettings(command, {
    settings: ['fusion', 'norm', 'weights', 'depth', 'out', 'json'],
    examples: [
      ['querent fuse bm25.trec dense.trec --fusion rank-score --out fused.trec', 'all hits of both'],
      ['querent fuse a.trec b.trec.gz --fusion weighted-sum --weights 2,1 --out fused.trec', 'weighted'],
    ],
    async run([paths], settings) {
      const out = required(settings, 'out')
      const fusion = fusionByName(settings.fusion ?? 'rank-score')
      await checkWritable(out)
      const files = paths as readonly string[]
      const runs: Run[] = []
      for (const path of files) runs.push(await readRun(path, { signal: terminal.signal }))
      const options = {
        ...(settings.norm !== undefined && { norm: settings.norm }),
        ...(settings.weights !== undefined && { weights: settings.weights }),
        ...(settings.depth !== undefined && { depth: settings.depth }),
      }
      const fused = fuseRuns(fusion, runs, options, files)
      await writeRun(out, fused, { signal: terminal.signal })
      const hits = [...fused.values()].reduce((sum, list) => sum + list.length, 0)
      if (settings.json) printJson(terminal, { queries: fused.size, hits, fusion: fusion.name, out })
      else say(terminal, `${out}: ${fused.size} queries, ${hits} hits, fused with ${fusion.name}`)
    },
  })
}
