/** The settings of each command, grouped as in its help, with examples. */
import { z } from 'zod'
import type { CommandSettings, ValuesOf } from './setting.ts'
import { indexName, lists, paths, yesOrNo } from './setting-kinds.ts'
import { pick, table } from './table.ts'

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

const asking = pick('chatUrl', 'chatModel', 'chatRetries', 'chatTimeout')
const sampling = pick('temperature', 'topP')
const answering = pick(
  ...(['answer', 'longAnswer', 'maxRounds', 'force', 'workflow', 'maxSteps', 'triples'] as const),
)
const outside = pick('rerankUrl', 'rerankModel', 'rerankTimeout')
const subQueries = pick('withOriginal', 'template', 'maxSecondStage', 'maxSubQueries', 'effort')
const judging = pick('judgeUrl', 'judgeModel')
const limits = pick('timeout', 'legTimeout', 'budget', 'prices')
const listening = pick('host', 'port', 'hosts')
const logs = pick('log', 'logText')
const judged = pick('split', 'queries', 'qrels')
const rewards = pick('stage', 'eta', 'depth', 'maxSubQueries')
const corpus = pick('columns', 'idField', 'titleField', 'textField', 'inputFormat', 'skipBadLines')

/** What every command takes that searches with one policy. */
const deciding = {
  Deciding: { ...pick('policy', 'rerank', 'minConfidence', 'filterFields'), ...outside, ...subQueries },
  'Language model': { ...asking, ...pick('fallback'), ...sampling, ...answering },
  Fusion: pick('fusion', 'norm', 'depth'),
  Limits: limits,
}
const searched = pick('index', 'k', 'retrievers', 'model')
const searchGroups = { Basic: { ...searched, ...pick('history', 'json') }, ...deciding }

export const ofCommands = {
  index: {
    groups: {
      Basic: pick('out', 'add', 'delete', 'dense', 'model', 'language', 'json'),
      'Onto a cluster': { ...pick('engine', 'url'), name: { ...table.name, schema: indexName } },
      Documents: corpus,
    },
    examples: [
      [
        'querent index corpus.jsonl --out my-index',
        'BM25; each line is {"_id": "1", "title": "…", "text": "…"}',
      ],
      ['querent index scifact --out my-index --dense', 'a BEIR folder, with vectors'],
      [
        'querent index products.csv --out my-index --id-field sku --title-field name --text-field description',
        'a table, whose first line names the columns',
      ],
      ['querent index --out my-index --add new.jsonl --delete old-ids.txt', 'without making the rest again'],
      ['cat *.jsonl | querent index - --out my-index', 'from another program'],
      [
        'querent index corpus.jsonl --engine elasticsearch --url http://localhost:9200 --name my-index',
        'on a cluster',
      ],
    ],
  },
  search: {
    groups: searchGroups,
    isQuery: true,
    examples: [
      ['querent search "who wrote the letters" --index my-index', 'the ten best documents'],
      ['querent search "who wrote them" --index my-index --history turns.json', 'after a conversation'],
      ['querent search - --index my-index < question.txt', 'a query from standard input, of any length'],
    ],
  },
  serve: {
    groups: {
      Basic: {
        ...searched,
        ...pick('sample'),
        ...listening,
        ...pick('cors', 'pageToken', 'processes'),
        ...counting,
        ...logs,
        ...pick('accessLog'),
      },
      ...deciding,
    },
    examples: [
      ['querent serve --sample', 'a look around, without an index: open the address that it prints'],
      ['querent serve --index my-index', 'then: curl "http://127.0.0.1:8178/search?q=who+wrote+the+letters"'],
      ['querent serve --index my-index --host 0.0.0.0 --port 9000', 'for other machines'],
    ],
  },
  mcp: {
    groups: {
      Basic: { ...searched, ...pick('about', 'filters', 'maxHits', 'maxText') },
      Serving: { ...pick('http'), ...listening, ...pick('cors'), ...logs },
      ...deciding,
    },
    examples: [
      [
        'querent mcp --index my-index --about "our manuals"',
        'for a client that starts the server itself, such as Claude Desktop or VS Code',
      ],
      ['querent mcp --index my-index --http', 'for clients at http://127.0.0.1:8179/mcp'],
      ['querent mcp --retrievers engine:articles', 'on a cluster that querent.json defines'],
    ],
  },
  proxy: {
    groups: {
      Basic: {
        ...pick('target'),
        ...listening,
        ...pick('cors', 'processes', 'explain', 'inspect', 'pageToken'),
        ...counting,
        ...logs,
        ...pick('ca', 'sign', 'signService'),
      },
      Deciding: {
        ...pick('policy', 'rerank'),
        ...outside,
        ...subQueries,
        ...pick('filterFields', 'rules', 'workers'),
      },
      'Language model': { ...asking, ...pick('fallback'), ...sampling, ...pick('cache', 'cacheTimeout') },
      Fusion: pick('fusion', 'window'),
      Limits: pick(
        ...([
          'legTimeout',
          'budget',
          'prices',
          'maxRequests',
          'grace',
          'headersTimeout',
          'idleTimeout',
        ] as const),
      ),
    },
    examples: [
      ['querent proxy --target http://127.0.0.1:9200', 'point your clients to http://127.0.0.1:9292'],
      [
        'querent proxy --target https://search.example.com --no-rerank --set ca=ca.pem',
        'without re-ranking, with a certificate of your own',
      ],
      ['querent proxy --target http://127.0.0.1:9200 --policy acqo', 'a language model decides'],
      ['querent proxy --target http://127.0.0.1:9200 --inspect', 'look at searches in a browser'],
      [
        'querent proxy --target https://search.example.com --set sign=eu-central-1',
        'Amazon OpenSearch Service',
      ],
    ],
  },
  doctor: {
    groups: { Basic: pick('target', 'name', 'queries', 'ca', 'json') },
    examples: [
      ['querent doctor --target http://127.0.0.1:9200 --name articles', 'reach, version, text fields'],
      [
        'querent doctor --target http://127.0.0.1:9200 --name articles --queries queries.jsonl',
        'and which searches can change: on each line a body, or words',
      ],
    ],
  },
  explain: {
    groups: { Basic: { ...searchGroups.Basic, ...pick('verbose') }, ...deciding },
    isQuery: true,
    examples: [
      [
        'querent explain "who wrote the letters" --index my-index',
        'the decision, what it changed, and the source of each hit',
      ],
      ['querent explain "…" --index my-index -k 3 --verbose', 'all details'],
      ['querent explain "…" --index my-index -k 3 --json', 'the same for a program'],
    ],
  },
  evaluate: {
    groups: {
      Basic: { ...searched, ...pick('json') },
      Judgments: judged,
      Measuring: { ...pick('metrics', 'concurrency', 'format', 'runIn', 'run', 'traces'), ...judging },
      ...deciding,
    },
    examples: [
      ['querent evaluate scifact --index my-index', 'the local policy decides, as in `search`'],
      ['querent evaluate scifact --index my-index --policy none', 'the original queries'],
      [
        'querent evaluate scifact --index my-index --policy acqo --metrics recall@5',
        'a language model rewrites',
      ],
      ['querent evaluate scifact --index my-index --run out.trec --json', 'for a program'],
      ['querent evaluate scifact --run-in fused.trec --format latex', 'judges a run of any program'],
    ],
  },
  compare: {
    groups: {
      'Systems: every combination of these': { ...pick('policies', 'reranks', 'fusions'), ...retrieverSets },
      Basic: pick('index', 'k', 'model', 'report', 'json'),
      Judgments: judged,
      Measuring: { ...pick('metrics', 'concurrency', 'format'), ...judging },
      Deciding: { ...outside, ...subQueries },
      'Language model': { ...asking, ...sampling, ...answering },
      Fusion: pick('norm', 'depth'),
      Limits: limits,
    },
    examples: [
      ['querent compare scifact --index my-index --policies none,acqo', 'does rewriting help?'],
      [
        'querent compare scifact --index my-index --retrievers bm25 --retrievers bm25,dense --report out.html',
        'what vectors add, as an HTML page',
      ],
      [
        'querent compare scifact --index my-index --policies none,acqo --fusions rank-score,rrf --json',
        'every policy with every fusion; the first combination is the baseline',
      ],
    ],
  },
  fuse: {
    groups: { Basic: pick('out', 'json', 'fusion', 'norm', 'weights', 'depth') },
    examples: [
      ['querent fuse bm25.trec dense.trec --fusion rank-score --out fused.trec', 'all hits of both'],
      ['querent fuse a.trec b.trec.gz --fusion weighted-sum --weights 2,1 --out fused.trec', 'weighted'],
    ],
  },
  train: {
    groups: {
      Basic: {
        index: { ...table.index, schema: paths, description: 'the index of each folder, in the same order' },
        ...pick('out', 'model', 'report', 'json'),
        ...retrieverSets,
      },
      'Queries and judgments': { ...judged, ...pick('traces') },
      Training: {
        ...pick('seed', 'epochs', 'cost', 'tauMax', 'keepHardest', 'depth', 'decision'),
        // In a file that `search` shares, `rerank` is the name of a policy and means nothing here.
        rerank: {
          schema: z.union([z.boolean(), z.string()]).transform((value) => value !== false),
          argument: '',
          isFlag: true,
          negation: 'train the decision alone',
        },
      },
    },
    examples: [
      [
        'querent train my-collection --index my-index --out policy.json',
        'then search with --policy policy.json',
      ],
      [
        'querent train hotpotqa scifact --index hotpot-index --index scifact-index --out policy.json',
        'two collections: one index each, in their order',
      ],
      [
        'querent train --traces traces.jsonl --qrels qrels.tsv --index my-index --out policy.json',
        'queries from production that were judged later',
      ],
    ],
  },
  clicks: {
    groups: {
      Basic: pick('out', 'everyClick', 'seed', 'json'),
      'User Behavior Insights': pick(
        ...(['events', 'engine', 'url', 'since'] as const),
        ...(['queriesIndex', 'eventsIndex', 'actions', 'application'] as const),
      ),
    },
    examples: [
      [
        'querent clicks clicks.jsonl --out judged',
        'each line is {"query": "…", "shown": ["d1", "d2"], "clicks": ["d2"]}',
      ],
      [
        'querent clicks --engine opensearch --url http://localhost:9200 --out judged',
        'User Behavior Insights of a cluster',
      ],
      ['querent train judged --index my-index --out policy.json', 'train on four fifths of the queries'],
    ],
  },
  completion: {
    groups: {},
    examples: [
      ['querent completion bash > ~/.querent-completion', 'then `source ~/.querent-completion` in ~/.bashrc'],
      ['querent completion zsh > ~/.zfunc/_querent', 'for zsh, with ~/.zfunc in its fpath'],
      ['querent completion fish > ~/.config/fish/completions/querent.fish', 'for fish'],
    ],
  },
  help: {
    groups: {},
    examples: [
      ['querent help settings', 'the keys of --set and of querent.json that are no flags'],
      ['querent help search', 'the flags of a command, with examples'],
    ],
  },
  triples: {
    groups: {
      Basic: pick('out', 'limit', 'concurrency', 'json'),
      Documents: corpus,
      'Language model': { ...asking, ...sampling },
    },
    examples: [
      [
        'querent triples my-collection --out facts.jsonl --chat-url http://localhost:8000/v1',
        'a BEIR folder, or a corpus: each line is {"_id": "1", "title": "…", "text": "…"}',
      ],
      [
        'querent search "who wrote the letters" --index my-index --policy sparkle --triples facts.jsonl',
        'search with them',
      ],
    ],
  },
  rollouts: {
    groups: {
      Basic: pick('policy', 'out', 'index', 'retrievers', 'model', 'json'),
      'Queries and judgments': { ...judged, ...pick('limit') },
      Exploring: {
        ...pick('samples', 'temperature', 'template', 'maxRounds', 'tree', 'maxSteps', 'triples', 'alpha'),
        ...pick('answerRecall', 'prunePenalty', 'maxRuns', 'concurrency'),
        ...rewards,
      },
      'Language model': { ...asking, ...pick('agentsUrl', 'agentsModel'), ...judging },
    },
    examples: [
      [
        'querent rollouts my-collection --policy c3po --index my-index --out rollouts.jsonl --chat-url http://localhost:8000/v1',
        'a tree for each query that has an accepted answer',
      ],
      [
        'querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl',
        'a row for each completion of an agent, with its advantage',
      ],
    ],
  },
  export: {
    groups: {
      Basic: pick('to', 'out', 'index', 'golds', 'template', 'json'),
      'Queries and judgments': judged,
      'Recorded answers, for --to sft and the filters': {
        ...pick('traces', 'tauMax', 'tauMin', 'keepHardest', 'threshold', 'retrievers', 'model'),
        ...rewards,
      },
      'Rollouts in place of a folder': pick(
        ...(['rollouts', 'agents', 'maxPaths', 'forced', 'balanced', 'margin'] as const),
      ),
    },
    examples: [
      [
        'querent export scifact --to verl --out train.json --index my-index',
        'queries that the index can answer',
      ],
      ['querent export scifact --to trl --out eval.json --split test', 'another split'],
      ['querent export scifact --to slime --out train.jsonl --template prompt.txt', 'your own prompt'],
      [
        'querent export scifact --to verl --out train.json --set golds=false',
        'the reward server has the judgments: --qrels',
      ],
      [
        'querent export scifact --to sft --out sft.json --index my-index --traces traces.jsonl',
        'the best recorded answers',
      ],
      [
        'querent export scifact --to verl --out hard.json --index my-index --traces traces.jsonl --set tauMax=5/3',
        'without the queries that the recorded model has mastered',
      ],
      [
        'querent export my-collection --to judgments --out judgments.json',
        'for the Search Relevance Workbench',
      ],
      [
        'querent export --rollouts rollouts.jsonl --to steps --out steps.jsonl',
        'each completion of an agent, with its advantage',
      ],
    ],
  },
  'reward-server': {
    groups: {
      Basic: { ...pick('index', 'retrievers', 'model', 'qrels'), ...listening, ...pick('json') },
      'Rollouts, which need a language model': {
        ...pick('queries'),
        ...asking,
        ...pick('agentsUrl', 'agentsModel'),
        ...judging,
      },
      'Rewards and limits': { ...rewards, ...pick('requestTimeout', 'cacheMb') },
    },
    examples: [
      ['querent reward-server --index my-index', 'requests contain the relevant documents'],
      [
        'querent reward-server --index my-index --qrels qrels/train.tsv --set stage=1',
        'requests may contain the query id instead',
      ],
      [
        'querent reward-server --index my-index --chat-url http://localhost:8000/v1 --set requestTimeout=10m',
        'also rollouts, which take as long as their models',
      ],
      ['querent reward-server --index my-index --host 0.0.0.0 --port 9000', 'for trainers on other machines'],
    ],
  },
} satisfies Readonly<Record<string, CommandSettings>>

type OfCommands = typeof ofCommands
export type CommandName = keyof OfCommands
/** The values of a command's settings. */
export type SettingsOf<Name extends CommandName> = ValuesOf<OfCommands[Name]['groups']>
