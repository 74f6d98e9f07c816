/** Every command, in the order of the help. */
import type { CommandEntry, Run } from '../settings/command.ts'
import type { CommandName, SettingsOf } from '../settings/of-commands.ts'

/** Entries whose commands take the values of their settings. */
const entriesOf =
  (group: string) =>
  <Name extends CommandName>(
    name: Name,
    given: string,
    summary: string,
    load: () => Promise<{ readonly run: Run<SettingsOf<Name>> }>,
  ): CommandEntry => ({
    name,
    usage: `${name} ${given}`.trim(),
    summary,
    group,
    settings: async () => (await import('../settings/of-commands.ts')).ofCommands[name],
    // These settings have parsed the values.
    run: async () => (await load()).run as Run<never> as Run,
  })

const entry = entriesOf('Commands:')
const training = entriesOf('For trainers of language models:')

export const commands: readonly CommandEntry[] = [
  entry('index', '[corpus]', 'index a BEIR folder, a file or stdin', () => import('./index-corpus.ts')),
  entry('search', '<query>', 'search an index', () => import('./search.ts')),
  entry('explain', '<query>', 'search, and explain each hit', async () => ({
    run: (await import('./search.ts')).runExplain,
  })),
  entry('serve', '', 'serve searches of an index over HTTP', () => import('./serve.ts')),
  entry('mcp', '', 'offer searches to agents, as MCP tools', () => import('./mcp.ts')),
  entry('proxy', '', 'optimize searches in front of a cluster', () => import('./proxy.ts')),
  entry('shadow', '<report> <log>', 'report what `proxy --shadow` logged', () => import('./shadow.ts')),
  entry('doctor', '', 'check a cluster, and which searches can change', () => import('./doctor.ts')),
  entry('evaluate', '<folder>', 'measure on judged queries', () => import('./evaluate.ts')),
  entry('compare', '<folder-or-runs...>', 'measure several systems and test their differences', async () => ({
    run: (await import('./evaluate.ts')).runCompare,
  })),
  entry('fuse', '<runs...>', 'merge TREC run files into one', () => import('./fuse.ts')),
  entry('train', '[folders...]', 'train a policy on judged queries', () => import('./train.ts')),
  entry('clicks', '[log]', 'make judgments from a log of clicks', () => import('./clicks.ts')),
  entry('label', '<queries>', 'have an LLM judge what searches find', () => import('./label.ts')),
  entry('interleave', '<report> <log>', 'say whether clicks prefer Querent', () => import('./interleave.ts')),
  entry('completion', '<shell>', 'print completion for bash, zsh or fish', async () => ({
    run: (await import('./completion.ts')).completionOf(commands),
  })),
  entry('help', '[about]', 'explain a command, or the `settings` that are no flags', async () => ({
    run: (await import('./help.ts')).helpOf(commands),
  })),
  training('triples', '<corpus>', 'have an LLM write the facts of documents', () => import('./triples.ts')),
  training('rollouts', '<folder>', 'sample completions, and score each', () => import('./rollouts.ts')),
  training(
    'export',
    '[folder]',
    'write judged queries or rollouts for trainers',
    () => import('./export.ts'),
  ),
  training('reward-server', '', "score an LLM's rewrites", () => import('./reward-server.ts')),
]
