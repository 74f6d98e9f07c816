/** The settings of each command: its own, and the groups that it takes; with the examples of its help. */
import { z } from 'zod'
import type { CommandSettings, SettingGroups, ValuesOf } from './setting.ts'
import { indexName, lists, paths, yesOrNo } from './setting-kinds.ts'
import { groups, pick, table } from './table.ts'

export type GroupName = keyof typeof groups

/** For commands that compare several sets of retrievers, or search several collections. */
const retrieverSets = { retrievers: { ...table.retrievers, schema: lists } }

/** Servers have something to count, and nothing to measure. */
const counting = {
  metrics: {
    ...table.metrics,
    schema: yesOrNo,
    argument: '',
    description: 'answer GET /metrics (proxy: /_querent/metrics), for Prometheus',
  },
}

function command<Own extends SettingGroups[string], Name extends GroupName>(
  own: Own,
  taken: readonly Name[],
  examples: string,
): CommandSettings<{ Own: Own } & Pick<typeof groups, Name>> {
  const taking = Object.fromEntries(taken.map((name) => [name, groups[name]])) as Pick<typeof groups, Name>
  return { groups: { Own: own, ...taking }, examples }
}

/** What every command takes that searches with one policy. */
const deciding = [
  ...(['Policy', 'Sub-queries', 'Language model', 'Sampling', 'Answers'] as const),
  'Limits',
] as const
const searching = ['Index', ...deciding] as const
/** What it takes where there are several. */
const comparing = deciding.slice(1) as unknown as readonly Exclude<(typeof deciding)[number], 'Policy'>[]
const measuring = pick('metrics', 'format', 'report', 'concurrency', 'json')
const systems = pick('policies', 'reranks', 'fusions')

export const ofCommands = {
  index: command(
    {
      ...pick('out', 'add', 'delete', 'vacuum', 'dense', 'model', 'language', 'json', 'engine', 'url'),
      name: { ...table.name, schema: indexName },
    },
    ['Documents'],
    `
  $ querent index corpus.jsonl --out my-index
      BM25; each line is {"_id": "1", "title": "…", "text": "…"}
  $ querent index scifact --out my-index --dense
      a BEIR folder, with vectors
  $ querent index products.csv --out my-index --id-field sku --title-field name --text-field description
      a table, whose first line names the columns
  $ querent index --out my-index --add new.jsonl --delete old-ids.txt
      without making the rest again
  $ querent index --out my-index --vacuum
      after many changes
  $ cat *.jsonl | querent index - --out my-index
      from another program
  $ querent index corpus.jsonl --engine elasticsearch --url http://localhost:9200 --name my-index
      on a cluster`,
  ),
  search: command(
    pick('k', 'history', 'json', 'trace', 'minConfidence'),
    searching,
    `
  $ querent search "who wrote the letters" --index my-index
      the ten best documents
  $ querent search "who wrote them" --index my-index --history turns.json
      after a conversation
  $ querent search - --index my-index < question.txt
      a query from standard input, of any length`,
  ),
  explain: command(
    pick('k', 'history', 'verbose', 'json', 'minConfidence'),
    searching,
    `
  $ querent explain "who wrote the letters" --index my-index
      the decision, what it changed, and the source of each hit
  $ querent explain "…" --index my-index -k 3 --verbose
      all details
  $ querent explain "…" --index my-index -k 3 --json
      the same for a program`,
  ),
  serve: command(
    {
      ...pick('k', 'minConfidence', 'sample', 'pageToken', 'processes', 'accessLog'),
      ...counting,
    },
    [...searching, 'Listening', 'Server'],
    `
  $ querent serve --sample
      a look around, without an index: open the address that it prints
  $ querent serve --index my-index
      then: curl "http://127.0.0.1:8178/search?q=who+wrote+the+letters"
  $ querent serve --index my-index --host 0.0.0.0 --port 9000
      for other machines`,
  ),
  mcp: command(
    pick('k', 'minConfidence', 'about', 'filters', 'maxHits', 'maxText', 'http'),
    [...searching, 'Listening', 'Server'],
    `
  $ querent mcp --index my-index --about "our manuals"
      for a client that starts the server itself, such as Claude Desktop or VS Code
  $ querent mcp --index my-index --http
      for clients at http://127.0.0.1:8179/mcp
  $ querent mcp --retrievers engine:articles
      on a cluster that querent.json defines`,
  ),
  proxy: command(
    {
      ...pick('target', 'processes', 'explain', 'inspect', 'pageToken', 'ca', 'sign', 'signService', 'rules'),
      ...pick('workers', 'window', 'cache', 'cacheTimeout', 'legTimeout', 'budget', 'prices'),
      ...pick('share', 'shareBy', 'shadow', 'shadowLog', 'shadowWords', 'interleave', 'offFile'),
      ...pick('maxRequests', 'grace', 'headersTimeout', 'idleTimeout'),
      ...counting,
    },
    [
      ...(['Policy', 'Sub-queries', 'Language model', 'Sampling'] as const),
      ...(['Listening', 'Server'] as const),
    ],
    `
  $ querent proxy --target http://127.0.0.1:9200
      point your clients to http://127.0.0.1:9292
  $ querent proxy --target https://search.example.com --no-rerank --set ca=ca.pem
      without re-ranking, with a certificate of your own
  $ querent proxy --target http://127.0.0.1:9200 --policy acqo
      a language model decides
  $ querent proxy --target http://127.0.0.1:9200 --inspect
      look at searches in a browser
  $ querent proxy --target http://127.0.0.1:9200 --shadow
      change nothing, and log what would change: see shadow
  $ querent proxy --target http://127.0.0.1:9200 --share 10% --set shareBy=x-user-id
      for a part of the users
  $ querent proxy --target https://search.example.com --set sign=eu-central-1
      Amazon OpenSearch Service`,
  ),
  shadow: command(
    pick('out', 'json'),
    [],
    `
  $ querent shadow report querent-shadow.jsonl
      what share of the searches would change, and which most
  $ querent shadow report querent-shadow.jsonl --out shadow.html
      the same as a page; .md for Markdown`,
  ),
  doctor: command(
    pick('target', 'name', 'queries', 'ca', 'json'),
    [],
    `
  $ querent doctor --target http://127.0.0.1:9200 --name articles
      reach, version, text fields
  $ querent doctor --target http://127.0.0.1:9200 --name articles --queries queries.jsonl
      and which searches can change: on each line a body, or words`,
  ),
  evaluate: command(
    {
      ...{ ...pick('k', 'minConfidence', 'run', 'runIn', 'traces'), ...systems, ...measuring },
      ...pick('baseline', 'tolerance', 'updateBaseline', 'atLeast'),
    },
    [...searching, 'Judgments', 'Judge'],
    `
  $ querent evaluate scifact --index my-index
      the local policy decides, as in \`search\`
  $ querent evaluate scifact --index my-index --policy acqo --metrics recall@5
      a language model rewrites
  $ querent evaluate scifact --index my-index --policies none,local
      several systems, and whether they differ: see compare
  $ querent evaluate scifact --index my-index --run out.trec --json
      for a program
  $ querent evaluate scifact --run-in fused.trec --format latex
      judges a run of any program
  $ querent evaluate scifact --index my-index --baseline baseline.json --at-least ndcg@10=0.42
      ends with 3 if a metric fell, or is below its floor`,
  ),
  compare: command(
    {
      ...{ ...pick('index', 'model', 'k'), ...retrieverSets, ...systems, ...measuring },
      ...pick('through', 'target', 'name', 'body', 'ca', 'rules', 'window', 'workers', 'filterFields'),
      ...pick('fallback'),
    },
    [...comparing, 'Judgments', 'Judge'],
    `
  $ querent compare scifact --index my-index --policies none,acqo
      does rewriting help?
  $ querent compare scifact --index my-index --retrievers bm25 --retrievers bm25,dense --report out.html
      what vectors add, as an HTML page
  $ querent compare before.trec after.trec --qrels qrels.tsv
      runs of any programs
  $ querent compare scifact --index my-index --policies none,acqo --fusions rank-score,rrf --json
      every policy with every fusion; the first combination is the baseline
  $ querent compare scifact --through http://127.0.0.1:9292 --name articles --body search.json
      what your application would get: its search, with Querent and without it
  $ querent compare scifact --target http://127.0.0.1:9200 --name articles --set window=60
      the same before there is a proxy`,
  ),
  fuse: command(
    pick('out', 'json', 'fusion', 'norm', 'weights', 'depth'),
    [],
    `
  $ querent fuse bm25.trec dense.trec --fusion rank-score --out fused.trec
      all hits of both
  $ querent fuse a.trec b.trec.gz --fusion weighted-sum --weights 2,1 --out fused.trec
      weighted`,
  ),
  train: command(
    {
      index: { ...table.index, schema: paths, description: 'the index of each folder, in the same order' },
      ...retrieverSets,
      ...pick('model', 'out', 'report', 'traces', 'seed', 'depth'),
      ...pick('decision', 'json'),
      // In a file that `search` shares, `rerank` is the name of a policy and means nothing here.
      rerank: {
        schema: z.union([z.boolean(), z.string()]).transform((value) => value !== false),
        argument: '',
        isFlag: true,
        negation: 'train the decision alone',
      },
    },
    ['Judgments'],
    `
  $ querent train my-collection --index my-index --out policy.json
      then search with --policy policy.json
  $ querent train hotpotqa scifact --index hotpot-index --index scifact-index --out policy.json
      two collections: one index each, in their order
  $ querent train --traces traces.jsonl --qrels qrels.tsv --index my-index --out policy.json
      queries from production that were judged later`,
  ),
  clicks: command(
    pick(
      ...(['out', 'everyClick', 'seed', 'json', 'events', 'engine', 'url', 'since'] as const),
      ...(['queriesIndex', 'eventsIndex', 'actions', 'application'] as const),
    ),
    [],
    `
  $ querent clicks clicks.jsonl --out judged
      each line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}
  $ querent clicks --engine opensearch --url http://localhost:9200 --out judged
      User Behavior Insights of a cluster
  $ querent train judged --index my-index --out policy.json
      train on four fifths of the queries`,
  ),
  label: command(
    pick('out', 'k', 'qrels', 'limit', 'rubric', 'yes', 'prices', 'concurrency', 'json'),
    ['Index', 'Language model', 'Sampling'],
    `
  $ querent label queries.jsonl --index my-index --out judged --chat-url http://localhost:8000/v1
      says what it costs, and asks before it begins
  $ querent label queries.jsonl --index my-index --out judged --qrels people.tsv
      and says how far the model agrees with people
  $ querent evaluate judged --index my-index
      measure with its judgments`,
  ),
  interleave: command(
    pick('clicks', 'engine', 'url', 'eventsIndex', 'actions', 'format', 'out', 'json'),
    [],
    `
  $ querent proxy --target http://127.0.0.1:9200 --interleave 20% --log info > searches.log
      first: a fifth of the callers gets hits of both lists
  $ querent interleave report searches.log --clicks clicks.jsonl
      then: each line is {"qid": "…", "docid": "…"}, or an event of ubi_events
  $ querent interleave report searches.log --clicks clicks.jsonl --out verdict.html
      as a page
  $ querent interleave report searches.log --engine opensearch --url http://localhost:9200
      User Behavior Insights of a cluster`,
  ),
  completion: command(
    {},
    [],
    `
  $ querent completion bash > ~/.querent-completion
      then \`source ~/.querent-completion\` in ~/.bashrc
  $ querent completion zsh > ~/.zfunc/_querent
      for zsh, with ~/.zfunc in its fpath
  $ querent completion fish > ~/.config/fish/completions/querent.fish
      for fish`,
  ),
  help: command(
    {},
    [],
    `
  $ querent help settings
      the keys of --set and of querent.json that are no flags
  $ querent help search
      the flags of a command, with examples`,
  ),
  triples: command(
    pick('out', 'limit', 'concurrency', 'json'),
    ['Documents', 'Language model', 'Sampling'],
    `
  $ querent triples my-collection --out facts.jsonl --chat-url http://localhost:8000/v1
      a BEIR folder, or a corpus: each line is {"_id": "1", "title": "…", "text": "…"}
  $ querent search "who wrote the letters" --index my-index --policy sparkle --triples facts.jsonl
      search with them`,
  ),
  rollouts: command(
    pick(
      ...(['policy', 'out', 'json', 'limit', 'samples', 'temperature', 'template', 'maxRounds'] as const),
      ...(['tree', 'maxSteps', 'triples', 'alpha', 'answerRecall', 'prunePenalty', 'maxRuns'] as const),
      ...(['concurrency', 'depth', 'maxSubQueries'] as const),
    ),
    ['Index', 'Judgments', 'Rewards', 'Language model', 'Trained model', 'Judge'],
    `
  $ querent rollouts my-collection --policy c3po --index my-index --out rollouts.jsonl --chat-url http://localhost:8000/v1
      a tree for each query that has an accepted answer
  $ querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl
      a row for each completion of an agent, with its advantage`,
  ),
  export: command(
    pick(
      ...(['to', 'out', 'json', 'golds', 'template', 'traces', 'tauMax', 'tauMin', 'keepHardest'] as const),
      ...(['threshold', 'depth', 'maxSubQueries'] as const),
      ...(['rollouts', 'agents', 'maxPaths', 'forced', 'balanced', 'margin'] as const),
    ),
    ['Index', 'Judgments', 'Rewards'],
    `
  $ querent export scifact --to verl --out train.json --index my-index
      queries that the index can answer
  $ querent export scifact --to trl --out eval.json --split test
      another split
  $ querent export scifact --to slime --out train.jsonl --template prompt.txt
      your own prompt
  $ querent export scifact --to verl --out train.json --set golds=false
      the reward server has the judgments: --qrels
  $ querent export scifact --to sft --out sft.json --index my-index --traces traces.jsonl
      the best recorded answers
  $ querent export scifact --to verl --out hard.json --index my-index --traces traces.jsonl --set tauMax=5/3
      without the queries that the recorded model has mastered
  $ querent export my-collection --to judgments --out judgments.json
      for the Search Relevance Workbench
  $ querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl
      each completion of an agent, with its advantage`,
  ),
  'reward-server': command(
    pick('qrels', 'queries', 'depth', 'maxSubQueries', 'requestTimeout', 'cacheMb', 'json'),
    ['Index', 'Rewards', 'Listening', 'Language model', 'Trained model', 'Judge'],
    `
  $ querent reward-server --index my-index
      requests contain the relevant documents
  $ querent reward-server --index my-index --qrels qrels/train.tsv --set stage=1
      requests may contain the query id instead
  $ querent reward-server --index my-index --chat-url http://localhost:8000/v1 --set requestTimeout=10m
      also rollouts, which take as long as their models
  $ querent reward-server --index my-index --host 0.0.0.0 --port 9000
      for trainers on other machines`,
  ),
}

export type CommandName = keyof typeof ofCommands
/** The values of a command's settings. */
export type SettingsOf<Name extends CommandName> = ValuesOf<(typeof ofCommands)[Name]['groups']>
