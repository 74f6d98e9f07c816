/**
 * Real servers for tests: Elasticsearch and OpenSearch, alone or as a cluster, on free ports and with their data in a
 * temporary folder. Whoever starts one stops it; where the test process dies first, the nodes end and clean up themselves.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineFolder } from '../../scripts/engines/build.mjs'
import { type EngineKind, type Recipe, recipes } from '../../scripts/engines/recipes.mjs'
import { untilHealthy } from './engine-health.ts'
import { spawnNode } from './engine-node.ts'
import { freePorts } from './free-ports.ts'

interface EngineNode {
  readonly url: string
  /** Of the process as it was started last. */
  pid(): number
  /** Kills it (-9) and waits until it has ended. */
  kill(): Promise<void>
  /** Starts it again on its data and its ports, and waits until it has joined the nodes that run. */
  start(): Promise<void>
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

export interface Engine {
  readonly kind: EngineKind
  readonly version: string
  readonly nodes: readonly EngineNode[]
  /** Those of the nodes. */
  readonly urls: readonly string[]
  /** Who may do everything, where there is security. */
  readonly credentials?: Credentials
  /** Where the nodes keep their data and their logs. */
  readonly folder: string
  /** Ends all nodes and removes the folder. Once more does nothing. */
  stop(): Promise<void>
}

export interface EngineOptions {
  /** 1 by default. */
  readonly nodes?: number
  /** Settings of every node, as `elasticsearch.yml` and `opensearch.yml` have them; they win over ours. */
  readonly settings?: Readonly<Record<string, string>>
  /** Gives up starting. */
  readonly signal?: AbortSignal
}

/**
 * Starts a server and waits until all of its nodes answer and it is green.
 *
 * @throws Error where it is not installed, ends, or is not green after five minutes; the latter with the end of its log
 */
export async function startEngine(
  kind: EngineKind,
  { nodes: count = 1, settings = {}, signal }: EngineOptions = {},
): Promise<Engine> {
  if (!existsSync(engineFolder(kind)))
    throw new Error(
      `${kind} is not installed: \`node scripts/install-engines.mjs\` installs it or says why not`,
    )
  const { version, credentials }: Recipe = recipes[kind]
  const folder = await mkdtemp(join(tmpdir(), `querent-${kind}-`))
  const nodes = (await nodeSettings(kind, count)).map((own) => {
    const spawn = () => spawnNode(kind, join(folder, own['node.name']!), { ...own, ...settings })
    return { url: `http://127.0.0.1:${own['http.port']}`, spawn, process: spawn() }
  })
  const headers = credentials ? { authorization: basic(credentials) } : {}

  async function stop(): Promise<void> {
    await Promise.all(nodes.map(({ process }) => process.kill()))
    await rm(folder, { recursive: true, force: true })
  }

  try {
    const until = `wait_for_status=green&wait_for_nodes=${count}`
    await Promise.all(nodes.map((node) => untilHealthy({ ...node, kind, until, headers, signal })))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    kind,
    version,
    folder,
    stop,
    ...(credentials && { credentials }),
    urls: nodes.map(({ url }) => url),
    nodes: nodes.map((node) => ({
      url: node.url,
      pid: () => node.process.pid,
      kill: () => node.process.kill(),
      async start() {
        if (node.process.isRunning()) throw new Error(`${node.url} runs already`)
        node.process = node.spawn()
        const running = nodes.filter(({ process }) => process.isRunning()).length
        await untilHealthy({ ...node, kind, until: `wait_for_nodes=ge(${running})`, headers })
      },
    })),
  }
}

/** The header by which a user is known. */
export function basic({ username, password }: Credentials): string {
  return `Basic ${btoa(`${username}:${password}`)}`
}

/** What the nodes of a cluster are started with: each has a port for HTTP and one for the others. */
async function nodeSettings(kind: EngineKind, count: number): Promise<readonly Record<string, string>[]> {
  const ports = await freePorts(2 * count)
  const transports = ports.slice(count)
  const names = transports.map((_, number) => `node-${number + 1}`)
  const master = recipes[kind].engine === 'elasticsearch' ? 'master' : 'cluster_manager'
  const discovery: Record<string, string> =
    count === 1
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': transports.map((port) => `127.0.0.1:${port}`).join(),
          [`cluster.initial_${master}_nodes`]: names.join(),
        }
  return names.map((name, number) => ({
    'cluster.name': `querent-${transports[0]}`,
    'node.name': name,
    'network.host': '127.0.0.1',
    'http.port': String(ports[number]),
    'transport.port': String(transports[number]),
    // How full the disk is does not matter to a test.
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    ...discovery,
  }))
}
