import { fuseRuns } from '../../../fusion/fuse-runs.ts'
import { fusionByName } from '../../../fusion/index.ts'
import { readRun, writeRun } from '../../evaluation/trec.ts'
import type { Run as Hits } from '../../types.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { tell } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, required } from '../settings/setting.ts'
import { defaultFusion } from '../settings/setting-names.ts'

/** `querent fuse <run> <run> … --fusion rank-score --out fused.trec` */
export const run: Run<SettingsOf<'fuse'>> = async (paths, settings, terminal) => {
  const { signal } = terminal
  const { norm, weights, depth } = settings
  const out = required(settings, 'out')
  const fusion = fusionByName(settings.fusion ?? defaultFusion)
  await checkOutputs({ '--out': out }, paths)
  const runs: Hits[] = []
  for (const path of paths) runs.push(await readRun(path, { signal }))
  const fused = fuseRuns(fusion, runs, given({ norm, weights, depth }), paths)
  await writeRun(out, fused, { signal })
  const hits = [...fused.values()].reduce((sum, list) => sum + list.length, 0)
  tell(terminal, settings, { queries: fused.size, hits, fusion: fusion.name, out }, [
    `${out}: ${queryCount(fused.size)}, ${count(hits, 'hit')}, fused with ${fusion.name}`,
  ])
}
