/** Asks a cluster by plain HTTP, as a client without a library would, with the credentials of its URL or of the environment. */
import { Agent, request } from 'undici'
import type { EngineAnswer } from '../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { QuerentError, toError } from '../../errors.ts'
import { jsonOf } from '../../runtime/json.ts'
import type { Terminal } from '../output/terminal.ts'
import { engineAuth } from './connect-engine.ts'

export interface TargetClient {
  /** The address without credentials. */
  readonly origin: string
  /** @throws QuerentError `unavailable` if there is no answer within ten seconds */
  get(path: string): Promise<EngineAnswer>
  /** Sends JSON, and waits for the answer until the signal. @throws QuerentError `unavailable` if there is none */
  post(path: string, body: string, headers: Headers, signal: AbortSignal): Promise<EngineAnswer>
  close(): Promise<void>
}

type Headers = Readonly<Record<string, string>>
type Sent = { readonly method: 'GET' | 'POST'; readonly body?: string; readonly headers?: Headers }

/** Milliseconds for an answer that needs no search. */
const patience = 10_000

/** @throws QuerentError `bad-config` for credentials by halves */
export function openTargetClient(target: string, ca: string | undefined, terminal: Terminal): TargetClient {
  const url = new URL(target)
  const authorization = authorizationOf(url, terminal)
  const agent = new Agent({ connect: ca === undefined ? {} : { ca } })
  const base = `${url.origin}${url.pathname.replace(/\/$/, '')}`
  const own = { accept: 'application/json', ...(authorization !== undefined && { authorization }) }
  async function ask(path: string, sent: Sent, signal: AbortSignal): Promise<EngineAnswer> {
    try {
      const { statusCode, headers, body } = await request(base + path, {
        ...sent,
        signal: AbortSignal.any([terminal.signal, signal]),
        headers: { ...own, ...sent.headers },
        dispatcher: agent,
      })
      const text = await body.text()
      return { status: statusCode, headers, body: jsonOf(text), own: text }
    } catch (thrown) {
      terminal.signal.throwIfAborted()
      throw new QuerentError('unavailable', `${base} cannot be reached: ${toError(thrown).message}`, {
        remedy: 'Check the address, and --set ca if its certificate is signed by an authority of your own.',
      })
    }
  }
  return {
    origin: base,
    get: (path) => ask(path, { method: 'GET' }, AbortSignal.timeout(patience)),
    post: (path, body, headers, signal) =>
      ask(
        path,
        { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
        signal,
      ),
    close: () => agent.close(),
  }
}

function authorizationOf({ username, password }: URL, { env }: Terminal): string | undefined {
  const auth =
    username === ''
      ? engineAuth(env)
      : { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  if (auth === undefined) return undefined
  if ('apiKey' in auth) return `ApiKey ${auth.apiKey}`
  return `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`
}
