/** Every command, in the order of the help. */
import type { Command } from 'commander'
import type { Terminal } from '../output/terminal.ts'

export interface CommandEntry {
  /** The name, and its arguments as commander writes them: `search <query>`. */
  readonly usage: string
  /** One line, in the list of commands. */
  readonly summary: string
  /** Loads the command. Only the one that was typed is loaded: all of them are 700 modules. */
  readonly load: () => Promise<(command: Command, terminal: Terminal) => void>
}

export const commands: readonly CommandEntry[] = [
  {
    usage: 'index <corpus>',
    summary: 'index a BEIR folder, a .jsonl[.gz] file or stdin',
    load: async () => (await import('./index-corpus.ts')).addIndex,
  },
  {
    usage: 'search <query>',
    summary: 'search an index',
    load: async () => (await import('./search.ts')).addSearch,
  },
  {
    usage: 'serve',
    summary: 'search an index by HTTP',
    load: async () => (await import('./serve.ts')).addServe,
  },
  {
    usage: 'proxy',
    summary: 'stand before a cluster and optimize its searches',
    load: async () => (await import('./proxy.ts')).addProxy,
  },
  {
    usage: 'explain <query>',
    summary: 'search, and say why each hit is there',
    load: async () => (await import('./explain.ts')).addExplain,
  },
  {
    usage: 'evaluate <folder>',
    summary: 'search the judged queries of a BEIR folder',
    load: async () => (await import('./evaluate.ts')).addEvaluate,
  },
  {
    usage: 'compare <folder>',
    summary: 'measure several ways of searching side by side',
    load: async () => (await import('./compare.ts')).addCompare,
  },
  {
    usage: 'fuse <runs...>',
    summary: 'merge TREC run files into one',
    load: async () => (await import('./fuse.ts')).addFuse,
  },
  {
    usage: 'train [folders...]',
    summary: 'train a policy on judged queries',
    load: async () => (await import('./train.ts')).addTrain,
  },
  {
    usage: 'clicks <log>',
    summary: 'make judgments of a click log',
    load: async () => (await import('./clicks.ts')).addClicks,
  },
  {
    usage: 'export <folder>',
    summary: 'write judged queries for a trainer of LLMs',
    load: async () => (await import('./export.ts')).addExport,
  },
  {
    usage: 'reward-server',
    summary: "price an LLM's rewrites for its trainer",
    load: async () => (await import('./reward-server.ts')).addRewardServer,
  },
]
