import { QuerentError } from '../../errors.ts'
import { print } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { CommandSettings } from '../settings/setting.ts'

/** A command of the table, as far as the help needs it. */
interface Listed {
  readonly usage: string
  readonly summary: string
  readonly settings: () => Promise<CommandSettings>
}

interface Task {
  /** One line. */
  readonly about: string
  /** Its commands, in the order in which they are used. */
  readonly commands: readonly string[]
  /** The page with more. */
  readonly page: string
}

/** What people want to do. Every command but this one is in at least one of them. */
const tasks: Readonly<Record<string, Task>> = {
  searching: {
    about: 'Search documents on this machine, with no server',
    commands: ['index', 'search', 'explain'],
    page: 'docs/in-process.md',
  },
  serving: {
    about: 'Let programs, browsers and agents search',
    commands: ['serve', 'mcp'],
    page: 'docs/http.md',
  },
  engines: {
    about: 'Improve the searches of an Elasticsearch or OpenSearch',
    commands: ['doctor', 'proxy'],
    page: 'docs/proxy.md',
  },
  measuring: {
    about: 'Find out whether it helps, on judged queries',
    commands: ['evaluate', 'compare', 'fuse'],
    page: 'docs/evaluating.md',
  },
  training: {
    about: 'Train a policy for your index, from judgments or clicks',
    commands: ['clicks', 'train'],
    page: 'docs/training.md',
  },
  'training-llm': {
    about: 'Train a language model against your index',
    commands: ['export', 'rollouts', 'triples', 'reward-server'],
    page: 'docs/training-llm.md',
  },
  operating: {
    about: 'Run it for others: logs, metrics, completion, querent.json',
    commands: ['serve', 'proxy', 'completion'],
    page: 'docs/production.md',
  },
}

/** `querent help [task]`, for these commands: the tasks, or the commands of one with their examples. */
export const helpOf =
  (commands: readonly Listed[]): Run<object> =>
  async ([name], _, terminal) => {
    if (name === undefined) return print(terminal, listOfTasks())
    if (!Object.hasOwn(tasks, name))
      throw new QuerentError('bad-config', `There is no help for ${JSON.stringify(name)}`, {
        remedy: `The tasks are ${Object.keys(tasks).join(', ')}. For a command, use: querent <command> --help`,
      })
    const { about, commands: used, page } = tasks[name]!
    const parts = await Promise.all(used.map((one) => describe(one, commands)))
    print(terminal, [`${about}.`, ...parts, `More: ${page}, in the package and on the site.`].join('\n\n'))
  }

function listOfTasks(): string {
  const width = Math.max(...Object.keys(tasks).map((name) => name.length))
  const lines = Object.entries(tasks).map(
    ([name, { about }]) => `  ${name.padEnd(width)}  ${about[0]!.toLowerCase()}${about.slice(1)}`,
  )
  return [
    'querent help <task>, where the task is:',
    ...lines,
    '',
    'All options of a command: querent <command> --help',
  ].join('\n')
}

/** A command: what it does, and its examples. */
async function describe(name: string, commands: readonly Listed[]): Promise<string> {
  const { summary, settings } = commands.find(({ usage }) => usage.split(' ')[0] === name)!
  const { examples } = await settings()
  const lines = examples.map(([command, meaning]) => `  $ ${command}\n      ${meaning}`)
  return [`querent ${name}: ${summary}`, ...lines].join('\n')
}
