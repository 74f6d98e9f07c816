/** Every command, in the order of the help. */
import type { Run } from '../settings/command.ts'
import type { CommandSettings, SettingGroups, ValuesOf } from '../settings/setting.ts'

export interface CommandEntry {
  /** The name, and its arguments as commander writes them: `search <query>`. */
  readonly usage: string
  /** One line, in the list of commands. */
  readonly summary: string
  /** Loads what can be typed: little, since every help and every check of `querent.json` needs it. */
  readonly settings: () => Promise<CommandSettings>
  /** Loads what the command does. Only the one that was typed is loaded: all of them are 700 modules. */
  readonly run: () => Promise<Run>
}

/** An entry whose command takes the settings that can be typed. */
function entry<Groups extends SettingGroups>(
  usage: string,
  summary: string,
  settings: () => Promise<CommandSettings<Groups>>,
  run: () => Promise<Run<ValuesOf<Groups>>>,
): CommandEntry {
  // The values were read by these very settings.
  return { usage, summary, settings, run: run as () => Promise<Run<never>> as () => Promise<Run> }
}

export const commands: readonly CommandEntry[] = [
  entry(
    'index <corpus>',
    'index a BEIR folder, a .jsonl[.gz] file or stdin',
    async () => (await import('../settings/index-settings.ts')).indexSettings,
    async () => (await import('./index-corpus.ts')).runIndex,
  ),
  entry(
    'search <query>',
    'search an index',
    async () => (await import('../settings/search-settings.ts')).searchSettings,
    async () => (await import('./search.ts')).runSearch,
  ),
  entry(
    'serve',
    'search an index by HTTP',
    async () => (await import('../settings/serve-settings.ts')).serveSettings,
    async () => (await import('./serve.ts')).runServe,
  ),
  entry(
    'proxy',
    'stand before a cluster and optimize its searches',
    async () => (await import('../settings/proxy-settings.ts')).proxySettings,
    async () => (await import('./proxy.ts')).runProxy,
  ),
  entry(
    'explain <query>',
    'search, and say why each hit is there',
    async () => (await import('../settings/explain-settings.ts')).explainSettings,
    async () => (await import('./explain.ts')).runExplain,
  ),
  entry(
    'evaluate <folder>',
    'search the judged queries of a BEIR folder',
    async () => (await import('../settings/evaluate-settings.ts')).evaluateSettings,
    async () => (await import('./evaluate.ts')).runEvaluate,
  ),
  entry(
    'compare <folder>',
    'measure several ways of searching side by side',
    async () => (await import('../settings/compare-settings.ts')).compareSettings,
    async () => (await import('./compare.ts')).runCompare,
  ),
  entry(
    'fuse <runs...>',
    'merge TREC run files into one',
    async () => (await import('../settings/fuse-settings.ts')).fuseSettings,
    async () => (await import('./fuse.ts')).runFuse,
  ),
  entry(
    'train [folders...]',
    'train a policy on judged queries',
    async () => (await import('../settings/train-settings.ts')).trainSettings,
    async () => (await import('./train.ts')).runTrain,
  ),
  entry(
    'clicks <log>',
    'make judgments of a click log',
    async () => (await import('../settings/clicks-settings.ts')).clicksSettings,
    async () => (await import('./clicks.ts')).runClicks,
  ),
  entry(
    'export <folder>',
    'write judged queries for a trainer of LLMs',
    async () => (await import('../settings/export-settings.ts')).exportSettings,
    async () => (await import('./export.ts')).runExport,
  ),
  entry(
    'reward-server',
    "price an LLM's rewrites for its trainer",
    async () => (await import('../settings/reward-server-settings.ts')).rewardServerSettings,
    async () => (await import('./reward-server.ts')).runRewardServer,
  ),
]
