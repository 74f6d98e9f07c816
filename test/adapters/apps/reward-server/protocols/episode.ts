/** An episode of the Open Reward Standard, over HTTP. */
import type { TestServer } from '../opened.ts'

/** What a client reads of a stream of events: the data of each, by its name. */
const eventsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/event: (.+)\ndata: (.*)\n\n/g)].map(([, event, data]) => [event!, data!] as const),
  )

export async function send(server: TestServer, path: string, body?: unknown, session = 's1') {
  const method = body === undefined ? 'GET' : 'POST'
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-session-id': session },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  return { status: response.status, body: isStream ? eventsOf(text) : JSON.parse(text) }
}

/** Opens a session for the first task. */
export async function episode(server: TestServer, env_name: string, session = 's1') {
  const opened = await send(server, '/create', { env_name, split: 'train', index: 0 }, session)
  if (opened.status !== 200) throw new Error(JSON.stringify(opened))
  const call = async (name: string, input: object, task_id?: string) => {
    const { body } = await send(server, `/${env_name}/call`, { name, input, task_id }, session)
    return JSON.parse(body.end)
  }
  return { call, submit: (input: object) => call('submit', input) }
}
