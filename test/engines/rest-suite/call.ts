/** One call of a test: sent as the suite describes it. */
import { parse, stringify } from 'lossless-json'
import { isObject, type JsonObject, listOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import { type Apis, addressOf } from './api.ts'
import type { Answer, Client } from './client.ts'
import { isWithin } from './skip.ts'
import { isStashed, type Stash, stashedValue, unstashed } from './stash.ts'

export interface World {
  readonly client: Client
  readonly apis: Apis
  /** Of the server. */
  readonly version: string
}

/** What of a `do` is not the call itself. */
const beside = ['catch', 'headers', 'warnings', 'allowed_warnings', 'node_selector']

/**
 * @param seed which of several ways to write the call is taken
 * @returns the answer; undefined where nothing was to be sent
 */
export async function call(
  { client, apis, version }: World,
  step: JsonObject,
  stash: Stash,
  seed: string,
): Promise<Answer | undefined> {
  const [api, given] = calledIn(step)
  // An error that a client would have thrown before it had sent anything.
  if (step.catch === 'param') return undefined
  const { version: nodes } = isObject(step.node_selector) ? step.node_selector : {}
  if (nodes !== undefined && !isWithin(version, String(nodes)))
    throw new Error(`There is no node of ${String(nodes)}`)

  const { body, ignore: _, ...rest } = isObject(given) ? given : {}
  const bodies = listOf(body ?? []).flatMap(bodiesOf)
  const own = textsOf({ error_trace: 'true', ...rest }, stash)
  const headers = textsOf(isObject(step.headers) ? step.headers : {}, stash)
  const lines = bodies.map((one) => stringify(unstashed(one, stash)) ?? '')
  const answer = await client.send({
    ...addressOf(apis, { api, parameters: own, hasBody: lines.length > 0 }, seed),
    headers: { ...(lines.length > 0 && { 'content-type': 'application/json' }), ...lowerCase(headers) },
    body: lines.length > 1 ? lines.map((line) => `${line}\n`).join('') : lines[0],
  })
  stash.body = answer.parsed ?? answer.text
  return answer
}

/** Where there are two, the suite's own runner takes the second. */
export const calledIn = (step: JsonObject): readonly [string, unknown] =>
  Object.entries(step).findLast(([key]) => !beside.includes(key)) ?? ['', undefined]

/** A text holds one body after the other. */
function bodiesOf(body: unknown): unknown[] {
  if (typeof body !== 'string') return [body]
  const bodies: unknown[] = []
  let pending = ''
  for (const line of body.split('\n')) {
    pending += `${line}\n`
    if (pending.trim() === '') continue
    try {
      bodies.push(parse(pending))
      pending = ''
    } catch {
      // It goes on in the next line.
    }
  }
  if (pending.trim() !== '') throw new Error(`This is no JSON: ${pending}`)
  return bodies
}

/** Parameters and headers: lists with commas between, and what is remembered in place of its names. */
function textsOf(values: JsonObject, stash: Stash): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => {
        const text = listOf(value).map(String).join()
        return [name, isStashed(text) ? String(stashedValue(text, stash)) : text]
      }),
  )
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
