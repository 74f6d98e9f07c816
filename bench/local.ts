/**
 * What the local policy is worth on judged collections, out of fold: policies are trained on the other folds of all
 * collections, folds share no relevant document and no conversation, every query is held out once a seed. One
 * configuration for everything.
 *
 *     npx tsx bench/local.ts [--collections <folder>] [--indexes <folder>] [--retrievers bm25] [--seeds 5] [--folds <n>]
 *       [--left-out] [--rows <file>]
 *
 * `--left-out` holds out whole collections instead: a policy never saw a query or a document of the corpus that it searches.
 * Collections of one corpus are held out together; each corpus by itself, or `--folds` groups of corpora. Otherwise there are
 * five folds by default.
 *
 * One row a query and seed goes to `--rows` as it is known, and the tables are printed at the end. A run that was interrupted goes
 * on where it stopped; one with other options needs another file.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createCache } from '../adapters/cache/cache.ts'
import { cachedEmbedder } from '../adapters/cache/cached-embedder.ts'
import { onnxEmbedder } from '../adapters/models/onnx.ts'
import { rankScore } from '../fusion/rank-score.ts'
import { prepareChoice } from '../policies/local/decision/decision.ts'
import { widerSubQueries } from '../policies/local/decision/wider-pool.ts'
import { secondStageLimit } from '../policies/local/local.ts'
import { createPoolScorer, scoredBy } from '../policies/local/rerank/rerank.ts'
import {
  collectExamples,
  type Example,
  readPoolOf,
  rememberedDocuments,
} from '../policies/local/training/example.ts'
import {
  broughtLists,
  fusedHits,
  type SearchedPlans,
  searchPlans,
} from '../policies/local/training/plan-search.ts'
import { type TrainedPolicy, trainPolicy } from '../policies/local/training/train-policy.ts'
import { listsWithout } from '../policies/local/training/without-relevant.ts'
import { namesByCorpus, trainingSources } from '../scripts/training-sources.ts'
import { scoreRun } from '../src/evaluation/score.ts'
import { foldsOf } from '../src/learn/folds.ts'
import type { SearchText } from '../src/policy.ts'
import { createReader } from '../src/text/reader.ts'
import { countTerms, type TermWeights } from '../src/text/term-weights.ts'
import type { Hit } from '../src/types.ts'
import { type Loaded, loadCollection } from './local-collections.ts'
import { localTables, type Row } from './local-tables.ts'
import { withRememberedSearch } from './remembered-search.ts'

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
    retrievers: { type: 'string', default: 'bm25' },
    seeds: { type: 'string', default: '5' },
    folds: { type: 'string' },
    rows: { type: 'string', default: 'local-rows.jsonl' },
    'left-out': { type: 'boolean', default: false },
  },
})

const corpora = namesByCorpus(trainingSources)
const folds = Number(values.folds ?? (values['left-out'] ? corpora.length : 5))

/** What tells this run from others. Rows of several cannot be compared. */
const named = [values.retrievers, values['left-out'] ? 'left out' : 'out of fold', `${folds} folds`].join(
  ', ',
)

const metrics = ['recall@2', 'recall@5', 'ndcg@10']

/** `acqo` searches the first three. */
const acqoSubQueries = 3

/** What a policy does not learn from: what it is judged on, and what is never learned from. */
interface Split {
  readonly fold: number
  readonly held: readonly Example[]
  readonly strange: readonly Example[]
}

await run()
console.log(localTables(readRows()))

async function run(): Promise<void> {
  const retrievers = values.retrievers.split(',')
  const other = readRows().find(({ run }) => run !== named)
  if (other !== undefined)
    throw new Error(
      `${values.rows} has rows of another run (${other.run}; this is ${named}): give another file with --rows`,
    )
  // The same names are looked up for every fold.
  const remembered = createCache({ maxEntries: 1_000_000, ttl: 7 * 24 * 3_600_000 })
  const embedder = retrievers.includes('dense')
    ? cachedEmbedder(await onnxEmbedder(), remembered, { scope: [] })
    : undefined
  const where = { collections: values.collections, indexes: values.indexes, retrievers, embedder }
  const collections: Loaded[] = []
  for (const source of trainingSources) collections.push(await loadCollection(source, where))
  const strangers = [
    await loadCollection({ name: 'scifact (test)', folder: 'scifact' }, where),
    await loadCollection({ name: 'cranfield' }, where),
  ]
  // Every fold makes nearly the same candidates.
  const examples = withRememberedSearch(await collectExamples(collections))
  const others = withRememberedSearch(await collectExamples(strangers))
  const byName = new Map([...collections, ...strangers].map((one) => [one.name, one]))
  const done = new Set(readRows().map(({ seed, fold }) => `${seed} ${fold}`))

  for (let seed = 1; seed <= Number(values.seeds); seed++) {
    for (const { fold, held, strange } of values['left-out'] ? leftOut() : outOfFold(seed)) {
      if (done.has(`${seed} ${fold}`)) continue
      const start = performance.now()
      const holds = new Set(held)
      const taught = examples.filter((example) => !holds.has(example))
      const terms = termsOf(taught)
      const policy = await trainPolicy(taught, terms, { seed: 100 * seed + fold })
      const rows = await search([...held, ...strange], policy, terms, { run: named, seed, fold })
      appendFileSync(values.rows, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      console.error(`seed ${seed}, fold ${fold}: ${((performance.now() - start) / 1000).toFixed(0)} s`)
    }
  }

  function outOfFold(seed: number): Split[] {
    const foldOf = foldsOf(
      examples.map(({ keys }) => keys),
      folds,
      seed,
    )
    return Array.from({ length: folds }, (_, fold) => ({
      fold,
      held: examples.filter((_, index) => foldOf[index] === fold),
      strange: fold === 0 ? others : [],
    }))
  }

  /** A fold for each corpus, or fewer, to which the corpora are dealt out in turn. */
  function leftOut(): Split[] {
    return Array.from({ length: folds }, (_, fold) => {
      const names = new Set(corpora.filter((_, index) => index % folds === fold).flat())
      const held = examples.filter(({ collection }) => names.has(collection))
      return { fold, held, strange: [] }
    })
  }

  /** Of all documents in the collections of these examples. */
  function termsOf(some: readonly Example[]): TermWeights {
    const names = new Set(some.map(({ collection }) => collection))
    const taught = collections.filter(({ name }) => names.has(name))
    const corpora = new Map(taught.map(({ corpusName, corpus }) => [corpusName, corpus]))
    return countTerms([...corpora.values()].flatMap((corpus) => [...corpus.values()]))
  }

  async function search(
    held: readonly Example[],
    policy: TrainedPolicy,
    terms: TermWeights,
    where: Pick<Row, 'run' | 'seed' | 'fold'>,
  ): Promise<Row[]> {
    const reader = createReader(terms, rememberedDocuments)
    const { scores, explain } = createPoolScorer(policy.rerank!, reader)
    const reranker = scoredBy(scores, explain)
    const afterModel = scoredBy(scores, explain, true)
    const searched = await searchPlans(held, () => policy.decision, reader)
    const choose = prepareChoice(policy.decision.gains)
    const unanswered = await searchPlans(held.map(withoutAnswer), () => policy.decision, reader)
    const rows: Row[] = []
    for (const [place, one] of searched.entries()) {
      const { example } = one
      const { query, collection } = example
      const loaded = byName.get(collection)!
      const qid = query.qid!
      const score = (hits: readonly Hit[]): number[] => {
        const { values: scores } = scoreRun(new Map([[qid, hits]]), loaded.qrels, metrics, [qid])
        return metrics.map((metric) => scores.get(metric)!.get(qid)!)
      }
      const rerank = async (of: SearchedPlans): Promise<readonly Hit[]> => {
        const choice = choose(of)
        const lists = await broughtLists(of, choice)
        const documentOf = await readPoolOf(of.example, lists)
        return reranker.rerank(query, lists, fusedHits(of, choice.plan), documentOf)
      }
      // As `localPolicy({ decider })` does it: one text stands for the query; beside several, more is looked up.
      const afterRewrites = async (
        subQueries: readonly SearchText[],
      ): Promise<NonNullable<Row['rewrites']>> => {
        const lists = (await example.search(subQueries)).flat()
        const hits = rankScore().fuse(lists, { k: 100 })
        const [only, ...more] = subQueries
        const wider =
          more.length === 0
            ? []
            : await example.search(widerSubQueries(one.stage, subQueries, secondStageLimit))
        const question = more.length === 0 ? { text: only!.text } : query
        const all = [...example.lists, ...lists, ...wider.flat()]
        const reranked = await afterModel.rerank(question, all, hits, await readPoolOf(example, all))
        return { fused: score(hits), reranked: score(reranked) }
      }
      const { plan, isSure } = choose(one)
      const fused = fusedHits(one, plan)
      const texts = loaded.rewrites.get(qid)
      const reranked = [await rerank(one), await rerank(unanswered[place]!)]
      rows.push({
        ...where,
        collection,
        qid,
        raw: score(fusedHits(one)),
        decision: score(fused),
        reranked: score(reranked[0]!),
        ...(texts !== undefined && {
          rewrites: await afterRewrites(texts.slice(0, acqoSubQueries).map((text) => ({ text }))),
        }),
        confidences: reranked.map((hits) => hits.slice(0, 10).map(({ confidence = 0 }) => confidence)),
        subQueries: plan?.texts.length ?? 0,
        searchedMore: plan !== undefined || !isSure,
        ...(loaded.standsAlone.has(qid) && { alone: loaded.standsAlone.get(qid)! }),
      })
    }
    return rows
  }
}

/** The same, in an index without the relevant documents. */
function withoutAnswer(example: Example): Example {
  const { golds } = example
  return {
    ...example,
    lists: listsWithout(example.lists, golds),
    search: async (subQueries, k) =>
      (await example.search(subQueries, k)).map((lists) => listsWithout(lists, golds)),
  }
}

function readRows(): Row[] {
  if (!existsSync(values.rows)) return []
  return readFileSync(values.rows, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
