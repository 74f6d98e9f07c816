import { fuseRuns } from '../../../fusion/fuse-runs.ts'
import { fusionByName } from '../../../fusion/index.ts'
import { readRun, writeRun } from '../../evaluation/trec.ts'
import type { Run } from '../../types.ts'
import { count } from '../output/count.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { printJson, say, type Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** `querent fuse <run> <run> … --fusion rank-score --out fused.trec` */
export async function runFuse(
  paths: readonly string[],
  settings: SettingsOf<'fuse'>,
  terminal: Terminal,
): Promise<void> {
  const out = required(settings, 'out')
  const fusion = fusionByName(settings.fusion ?? 'rank-score')
  await checkOutputs({ '--out': out }, paths)
  const runs: Run[] = []
  for (const path of paths) runs.push(await readRun(path, { signal: terminal.signal }))
  const options = {
    ...(settings.norm !== undefined && { norm: settings.norm }),
    ...(settings.weights !== undefined && { weights: settings.weights }),
    ...(settings.depth !== undefined && { depth: settings.depth }),
  }
  const fused = fuseRuns(fusion, runs, options, paths)
  await writeRun(out, fused, { signal: terminal.signal })
  const hits = [...fused.values()].reduce((sum, list) => sum + list.length, 0)
  if (settings.json) printJson(terminal, { queries: fused.size, hits, fusion: fusion.name, out })
  else
    say(
      terminal,
      `${out}: ${count(fused.size, 'query', 'queries')}, ${count(hits, 'hit')}, fused with ${fusion.name}`,
    )
}
