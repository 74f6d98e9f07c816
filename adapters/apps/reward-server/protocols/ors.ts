/**
 * The Open Reward Standard: environments over the index, for OpenReward's client, and with it TRL and others. There are three, by what
 * is rewarded: `documents` (what an agent keeps), `answer`, and `rewrite` (ACQO's sub-queries). Tasks are the server's queries.
 *
 * A session is an episode, which a client names by a header of its own.
 */
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { parseConfig } from '../../../../src/config.ts'
import { QuerentError } from '../../../../src/errors.ts'
import type { Clock } from '../../../../src/runtime/clock.ts'
import { type Name, names, promptOf, specsOf, tasksOf, toolsOf } from './ors-environments.ts'
import { call as callTool, type Episode, textBlock } from './ors-episode.ts'
import { identifier, type Protocol, type Reply } from './protocol.ts'

/** The one split: what is held out has a server of its own. */
const split = 'train'

/** Open episodes, and how long one may wait for its next call. An agent that thinks for longer has been given up. */
const maxSessions = 10_000
const sessionTime = 15 * 60_000

interface Session extends Episode {
  /** The last call, for a client whose connection broke. */
  last?: { readonly id: string; readonly data: string }
}

const createRequest = z.object({
  env_name: z.string().nullish(),
  task_spec: z.object({ query_id: identifier }).nullish(),
  split: z.literal(split).nullish(),
  index: z.int().min(0).nullish(),
})
const taskRequest = z.object({ split: z.literal(split), index: z.int().min(0) })
const rangeRequest = z.object({
  split: z.literal(split),
  start: z.int().min(0).nullish(),
  stop: z.int().min(0).nullish(),
})
const callRequest = z.object({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  task_id: z.string().nullish(),
})

/** Where an environment is. The first is also where a client asks that names none, as TRL's does. */
const places: readonly (readonly [place: string, name: Name])[] = [
  ['', names[0]!],
  ...names.map((name) => [`/${name}`, name] as const),
]

export interface OrsRoutes {
  /** Paths → what answers them. */
  readonly GET: ReadonlyMap<string, Protocol>
  readonly POST: ReadonlyMap<string, Protocol>
}

export function orsRoutes(clock: Clock): OrsRoutes {
  const sessions = new LRUCache<string, Session>({
    max: maxSessions,
    ttl: sessionTime,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: clock,
  })

  const inSession =
    (answer: (session: Session, ...request: Parameters<Protocol>) => Promise<Reply>): Protocol =>
    async (...request) => {
      const { session: id = '' } = request[3]
      const session = sessions.get(id)
      if (session !== undefined) return answer(session, ...request)
      const error = `There is no session ${JSON.stringify(id)} (X-Session-ID). It ends after 15 minutes without a call`
      return { status: 404, body: { error } }
    }

  const create: Protocol = async (body, service, _, { session: id }) => {
    const request = parseConfig(createRequest, body, 'The request')
    // A client that names no environment sends a name of its own.
    const name = names.find((one) => one === request.env_name) ?? names[0]!
    if (id === undefined) throw new QuerentError('bad-config', 'The header X-Session-ID is missing')
    const tasks = tasksOf(name, service)
    const query = request.task_spec
      ? tasks.find(({ qid }) => qid === request.task_spec!.query_id)
      : tasks[request.index ?? -1]
    if (query === undefined) throw new QuerentError('bad-config', 'There is no such task')
    sessions.set(id, { name, query, calls: [], isOver: false })
    return ok({ sid: id })
  }

  const remove: Protocol = async (_, __, ___, { session: id = '' }) => {
    sessions.delete(id)
    return ok({ sid: id })
  }

  const call = inSession(async (session, body, service, ...rest) => {
    const { name, input, task_id } = parseConfig(callRequest, body, 'The request')
    if (task_id && task_id === session.last?.id) return events(task_id, session.last.data)
    const data = JSON.stringify(await callTool(session, { name, input }, service, ...rest))
    session.last = { id: task_id ?? randomUUID(), data }
    return events(session.last.id, data)
  })

  return {
    GET: new Map<string, Protocol>([
      ['/version', async (_, { server }) => ok({ version: server.version })],
      ['/list_environments', async () => ok(names)],
      ...places.flatMap(([place, name]): [string, Protocol][] => [
        [`${place}/splits`, async () => ok([{ name: split, type: split }])],
        [`${place}/tools`, async () => ok({ tools: toolsOf(name) })],
        [`${place}/task_tools`, async () => ok({ tools: toolsOf(name) })],
        [
          `${place}/prompt`,
          inSession(async (session) => ok([textBlock(promptOf(session.name, session.query))])),
        ],
      ]),
    ]),
    POST: new Map<string, Protocol>([
      ['/create_session', async () => events(randomUUID(), '')],
      ['/create', create],
      ['/delete', remove],
      ['/delete_session', remove],
      ['/ping', inSession(async () => ok({ status: 'ok' }))],
      ...places.flatMap(([place, name]): [string, Protocol][] => [
        [`${place}/tasks`, async (_, service) => ok({ tasks: specsOf(name, service), env_name: name })],
        [`${place}/num_tasks`, async (_, service) => ok({ num_tasks: tasksOf(name, service).length })],
        [
          `${place}/task`,
          async (body, service) => {
            const { index } = parseConfig(taskRequest, body, 'The request')
            const task = specsOf(name, service)[index]
            if (task === undefined) throw new QuerentError('bad-config', `There is no task ${index}`)
            return ok({ task, env_name: name })
          },
        ],
        [
          `${place}/task_range`,
          async (body, service) => {
            const { start, stop } = parseConfig(rangeRequest, body, 'The request')
            return ok({ tasks: specsOf(name, service).slice(start ?? 0, stop ?? undefined), env_name: name })
          },
        ],
        [`${place}/call`, call],
      ]),
    ]),
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body })

/** An answer as events: its id, which a client sends again if the connection breaks, and the whole of it. */
const events = (id: string, data: string): Reply => ({
  status: 200,
  body: undefined,
  text: {
    type: 'text/event-stream',
    content: `event: task_id\ndata: ${id}\n\nevent: end\ndata: ${data}\n\n`,
  },
})
