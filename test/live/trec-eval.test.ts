/** trec_eval itself reads the runs that we write, and sees our order: every metric, every query. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { fusionByName } from '../../fusion/index.ts'
import { verifyPython } from '../../scripts/install-system.mjs'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { scoreRun } from '../../src/evaluation/score.ts'
import { writeQrels, writeRun } from '../../src/evaluation/trec.ts'
import type { Hit } from '../../src/types.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))

const program = `
import json, sys, pytrec_eval
read = lambda path, parse: parse(open(path))
qrels, run = read(sys.argv[1], pytrec_eval.parse_qrel), read(sys.argv[2], pytrec_eval.parse_run)
measures = {'map', 'ndcg', 'recip_rank', 'Rprec', 'bpref', 'P.5,10', 'recall.5,100', 'success.1,5', 'map_cut.10', 'ndcg_cut.3,10'}
values = lambda judged: pytrec_eval.RelevanceEvaluator(qrels, measures, judged_docs_only_flag=judged).evaluate(run)
every, condensed = values(False), values(True)
print(json.dumps({qid: every[qid] | {f'{name}-judged': value for name, value in condensed[qid].items()} for qid in every}))
`

it.skipIf(!existsSync(verifyPython))(
  'agrees on a run with ties and on its condensed lists, to 1e-9 (needs pytrec_eval: npm run verify installs it)',
  async () => {
    const { queries, qrels } = await readBeir(sample)
    const bm25 = await buildWinkBm25(readCorpus(await findCorpus(sample)))
    const run = new Map<string, readonly Hit[]>()
    for (const { qid = '', text } of queries) {
      const legs = await bm25.retrieve(
        [
          { text, round: 1 },
          { text: `${text} first`, round: 1 },
        ],
        { k: 100 },
      )
      // Rank-score fusion has many hits of one score: their order must survive the file.
      run.set(
        qid,
        fusionByName('rank-score').fuse(legs.flatMap((leg) => (leg.hits === undefined ? [] : [leg]))),
      )
    }
    const folder = await temporaryFolder()
    const [runFile, qrelsFile] = [join(folder, 'run.trec'), join(folder, 'qrels.txt')]
    await writeRun(runFile, run)
    await writeQrels(qrelsFile, qrels)

    const output = execFileSync(verifyPython, ['-c', program, qrelsFile, runFile], { encoding: 'utf8' })
    const expected = JSON.parse(output) as Record<string, Record<string, number>>
    expect(Object.keys(expected).sort()).toEqual([...run.keys()].sort())
    const names = Object.keys(Object.values(expected)[0]!)
    expect(names).toHaveLength(2 * 14)
    const { values } = scoreRun(run, qrels, names, [...run.keys()])
    for (const [qid, metrics] of Object.entries(expected)) {
      for (const [name, value] of Object.entries(metrics)) {
        expect(Math.abs(values.get(name)!.get(qid)! - value), `${name} of ${qid}`).toBeLessThanOrEqual(1e-9)
      }
    }
  },
)
