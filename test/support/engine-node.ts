/** One node of a real server, as a process that ends and takes its folder with it when this process does. */
import { spawn } from 'node:child_process'
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { engineFolder } from '../../scripts/engines/build.mjs'
import { javaCommand } from '../../scripts/engines/java.mjs'
import { type EngineKind, type Recipe, recipes } from '../../scripts/engines/recipes.mjs'

export interface NodeProcess {
  readonly pid: number
  isRunning(): boolean
  /** Ends it as a loss of power would (SIGKILL), and waits until it has ended. Its data stays. */
  kill(): Promise<void>
  /** The last lines that it printed. */
  log(): string
}

type Settings = Readonly<Record<string, string>>

const linesShown = 15

/** Starts a node with these settings on the data of `folder`, new or not. What it prints goes to the file `log` there. */
export function spawnNode(kind: EngineKind, folder: string, settings: Settings): NodeProcess {
  mkdirSync(join(folder, 'scratch'), { recursive: true })
  cpSync(join(engineFolder(kind), 'config'), join(folder, 'config'), { recursive: true })
  const logFile = join(folder, 'log')
  const log = openSync(logFile, 'a')
  const [program = '', ...words] = commandOf(kind, folder, settings)
  // Ctrl-C in the terminal is for the tests alone: a node ends when its standard input does, and then cleans up.
  const child = spawn(program, words, { stdio: ['pipe', log, log], detached: true })
  closeSync(log)
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve()).once('exit', () => resolve())
  })
  return {
    pid: child.pid ?? Number.NaN,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    log: () => readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-linesShown).join('\n'),
  }
}

function commandOf(kind: EngineKind, folder: string, settings: Settings): readonly string[] {
  const home = engineFolder(kind)
  const recipe: Recipe = recipes[kind]
  const [main, homes] =
    recipe.engine === 'elasticsearch'
      ? [
          `elasticsearch.v${parseInt(recipe.version, 10)}.Main`,
          [`path.home=${home}`, `path.conf=${folder}/config`],
        ]
      : ['opensearch.OpenSearchNode', [`path.home=${folder}`]]
  return [
    ...javaCommand(),
    ...['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC'],
    `-Dnode.folder=${folder}`,
    `-Djava.io.tmpdir=${join(folder, 'scratch')}`,
    `-Des.nativelibs.path=${join(home, 'native')}`,
    ...['-cp', join(home, 'lib', '*'), main],
    ...homes,
    `path.data=${join(folder, 'data')}`,
    `path.logs=${join(folder, 'logs')}`,
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    ...(recipe.arguments ?? []),
  ]
}
