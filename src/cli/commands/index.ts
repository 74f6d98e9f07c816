/** Every command, in the order of the help. */
import type { CommandEntry, Run } from '../settings/command.ts'
import type { CommandName, SettingsOf } from '../settings/of-commands.ts'

/** An entry whose command takes the values of its settings. */
const entryOf =
  (group: string) =>
  <Name extends CommandName>(
    name: Name,
    given: string,
    summary: string,
    run: () => Promise<Run<SettingsOf<Name>>>,
  ): CommandEntry => ({
    name,
    usage: `${name} ${given}`.trim(),
    summary,
    group,
    settings: async () => (await import('../settings/of-commands.ts')).ofCommands[name],
    // These settings have parsed the values.
    run: run as () => Promise<Run<never>> as () => Promise<Run>,
  })

const entry = entryOf('Commands:')
const trainers = entryOf('For trainers of language models:')

export const commands: readonly CommandEntry[] = [
  entry(
    'index',
    '[corpus]',
    'index a BEIR folder, a file (.jsonl, .csv, .tsv) or stdin',
    async () => (await import('./index-corpus.ts')).runIndex,
  ),
  entry('search', '<query>', 'search an index', async () => (await import('./search.ts')).runSearch),
  entry(
    'explain',
    '<query>',
    'search, and explain each hit',
    async () => (await import('./explain.ts')).runExplain,
  ),
  entry(
    'serve',
    '',
    'serve searches of an index over HTTP',
    async () => (await import('./serve.ts')).runServe,
  ),
  entry('mcp', '', 'offer searches to agents, as MCP tools', async () => (await import('./mcp.ts')).runMcp),
  entry(
    'proxy',
    '',
    'optimize searches in front of a cluster',
    async () => (await import('./proxy.ts')).runProxy,
  ),
  entry(
    'doctor',
    '',
    'check a cluster, and which of your searches can change',
    async () => (await import('./doctor.ts')).runDoctor,
  ),
  entry(
    'evaluate',
    '<folder>',
    'measure a system on the judged queries of a BEIR folder',
    async () => (await import('./evaluate.ts')).runEvaluate,
  ),
  entry(
    'compare',
    '<folder>',
    'measure several systems and test their differences',
    async () => (await import('./compare.ts')).runCompare,
  ),
  entry(
    'fuse',
    '<runs...>',
    'merge TREC run files into one',
    async () => (await import('./fuse.ts')).runFuse,
  ),
  entry(
    'train',
    '[folders...]',
    'train a policy on judged queries',
    async () => (await import('./train.ts')).runTrain,
  ),
  entry(
    'clicks',
    '[log]',
    'make judgments from a click log or User Behavior Insights',
    async () => (await import('./clicks.ts')).runClicks,
  ),
  entry('completion', '<shell>', 'print completion for bash, zsh or fish', async () =>
    (await import('./completion.ts')).completionOf(commands),
  ),
  entry('help', '[about]', 'explain a command, or the `settings` that are no flags', async () =>
    (await import('./help.ts')).helpOf(commands),
  ),
  trainers(
    'triples',
    '<corpus>',
    'have an LLM write the facts of documents',
    async () => (await import('./triples.ts')).runTriples,
  ),
  trainers(
    'rollouts',
    '<folder>',
    'explore a policy with other completions, and price each',
    async () => (await import('./rollouts.ts')).runRollouts,
  ),
  trainers(
    'export',
    '[folder]',
    'write judged queries or rollouts for other programs',
    async () => (await import('./export.ts')).runExport,
  ),
  trainers(
    'reward-server',
    '',
    "score an LLM's rewrites for its trainer",
    async () => (await import('./reward-server.ts')).runRewardServer,
  ),
]
