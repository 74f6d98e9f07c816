/** Every command, in the order of the help. */
import type { Run } from '../settings/command.ts'
import type { CommandSettings, SettingGroups, ValuesOf } from '../settings/setting.ts'

export interface CommandEntry {
  /** Name and arguments in commander's syntax: `search <query>`. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Loads the settings. They must load fast: every help and every check of `querent.json` needs them. */
  readonly settings: () => Promise<CommandSettings>
  /** Loads the command. Only the typed one is loaded: all of them together are 700 modules. */
  readonly run: () => Promise<Run>
}

/** An entry whose command takes the values of its settings. */
function entry<Groups extends SettingGroups>(
  usage: string,
  summary: string,
  settings: () => Promise<CommandSettings<Groups>>,
  run: () => Promise<Run<ValuesOf<Groups>>>,
): CommandEntry {
  // These settings have parsed the values.
  return { usage, summary, settings, run: run as () => Promise<Run<never>> as () => Promise<Run> }
}

export const commands: readonly CommandEntry[] = [
  entry(
    'index [corpus]',
    'index a BEIR folder, a file (.jsonl, .csv, .tsv) or stdin',
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
    'serve searches of an index over HTTP',
    async () => (await import('../settings/serve-settings.ts')).serveSettings,
    async () => (await import('./serve.ts')).runServe,
  ),
  entry(
    'mcp',
    'offer searches to agents, as MCP tools',
    async () => (await import('../settings/mcp-settings.ts')).mcpSettings,
    async () => (await import('./mcp.ts')).runMcp,
  ),
  entry(
    'proxy',
    'optimize searches in front of a cluster',
    async () => (await import('../settings/proxy-settings.ts')).proxySettings,
    async () => (await import('./proxy.ts')).runProxy,
  ),
  entry(
    'doctor',
    'check a cluster, and which of your searches can change',
    async () => (await import('../settings/doctor-settings.ts')).doctorSettings,
    async () => (await import('./doctor.ts')).runDoctor,
  ),
  entry(
    'explain <query>',
    'search, and explain each hit',
    async () => (await import('../settings/explain-settings.ts')).explainSettings,
    async () => (await import('./explain.ts')).runExplain,
  ),
  entry(
    'evaluate <folder>',
    'measure a system on the judged queries of a BEIR folder',
    async () => (await import('../settings/evaluate-settings.ts')).evaluateSettings,
    async () => (await import('./evaluate.ts')).runEvaluate,
  ),
  entry(
    'compare <folder>',
    'measure several systems and test their differences',
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
    'clicks [log]',
    'make judgments from a click log, or from User Behavior Insights',
    async () => (await import('../settings/clicks-settings.ts')).clicksSettings,
    async () => (await import('./clicks.ts')).runClicks,
  ),
  entry(
    'triples <corpus>',
    'have an LLM write the facts of documents',
    async () => (await import('../settings/triples-settings.ts')).triplesSettings,
    async () => (await import('./triples.ts')).runTriples,
  ),
  entry(
    'rollouts <folder>',
    'explore a policy with other completions, and price each',
    async () => (await import('../settings/rollouts-settings.ts')).rolloutsSettings,
    async () => (await import('./rollouts.ts')).runRollouts,
  ),
  entry(
    'export [folder]',
    'write judged queries or rollouts for other programs',
    async () => (await import('../settings/export-settings.ts')).exportSettings,
    async () => (await import('./export.ts')).runExport,
  ),
  entry(
    'reward-server',
    "score an LLM's rewrites for its trainer",
    async () => (await import('../settings/reward-server-settings.ts')).rewardServerSettings,
    async () => (await import('./reward-server.ts')).runRewardServer,
  ),
  entry(
    'completion <shell>',
    'print completion for bash, zsh or fish',
    async () => (await import('../settings/completion-settings.ts')).completionSettings,
    async () => (await import('./completion.ts')).completionOf(commands),
  ),
  entry(
    'help [task]',
    'show the commands of a task, with examples',
    async () => (await import('../settings/help-settings.ts')).helpSettings,
    async () => (await import('./help.ts')).helpOf(commands),
  ),
]
