/**
 * What some models refuse of a request: parameters, such as a temperature other than their own, a stream, a message of the system, or
 * more tokens than they have. What a server has refused is not sent again.
 */
import type { Message } from '../../src/types.ts'

const refusable = [
  ...['temperature', 'top_p', 'stop', 'max_tokens', 'max_completion_tokens', 'stream_options', 'stream'],
  'messages',
]

/** How servers say so. Of another 400, such as that of a temperature above 2, the parameter is not to be left out. */
const refusal =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra|deprecated|(?:not|n['’]t) (?:allowed|permitted)|only the default|only [\d.]+ is allowed|cannot both|must be verified to stream/i
/** How they say that there is no room for so many tokens; most name their context and not the parameter. */
const isTooLong =
  /max_(?:completion_)?tokens\b.{0,40}(?:too large|at most|less than)|maximum context length/is
const limits = ['max_tokens', 'max_completion_tokens']

type Body = Readonly<Record<string, unknown>>

export interface Refusals {
  has(parameter: string): boolean
  /** The body without what has been refused. A refused message of the system stands in that of the user. */
  without(body: Body & { readonly messages: readonly Message[] }): Body
  /** Whether an error says that a parameter of this body is refused. It is remembered, so that a body can be refused only so often. */
  learn(error: unknown, body: Body): boolean
}

/**
 * What one model has refused.
 *
 * @param isLimitOurs whether the user has set no number of tokens, so that one that is too large may be left out
 */
export function createRefusals(isLimitOurs: boolean): Refusals {
  const refused = new Set<string>()
  return {
    has: (parameter) => refused.has(parameter),
    without({ messages, ...body }) {
      const kept = Object.entries(body).filter(([name]) => !refused.has(name))
      return {
        ...Object.fromEntries(kept),
        messages: refused.has('messages') ? withoutSystem(messages) : messages,
      }
    },
    learn(error, body) {
      const { status, param, code, message } = ((error as Error).cause ?? {}) as Body
      const said = `${code} ${message}`
      const tooLong = isLimitOurs && isTooLong.test(said)
      if ((status !== 400 && status !== 422) || (!tooLong && !refusal.test(said))) return false
      const sent = refusable.filter((name) => body[name] !== undefined)
      const isNamed = (name: string): boolean =>
        name === 'messages'
          ? !refused.has(name) &&
            /\bsystem\b.*\b(?:role|with this model)\b|\bsystem\b.{0,20}not support/i.test(said)
          : name === param || new RegExp(`\\b${name}\\b`).test(said)
      const named = sent.filter((name) => (tooLong ? limits.includes(name) : isNamed(name)))
      const [first] = named.includes(String(param)) ? [String(param)] : named
      if (first !== undefined) refused.add(first)
      return first !== undefined
    },
  }
}

/** The messages with that of the system at the beginning of the user's. */
function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const [system, user, ...others] = messages
  if (system?.role !== 'system' || user === undefined) return messages
  return [{ ...user, content: `${system.content}\n\n${user.content}` }, ...others]
}
