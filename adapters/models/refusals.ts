/** Parameters that some models refuse, such as a temperature other than their own. What a server has refused is not sent again. */

const refusable = ['temperature', 'top_p', 'stop', 'max_tokens', 'max_completion_tokens', 'stream_options']

/** How servers say so. Of another 400, such as that of a temperature above 2, the parameter is not to be left out. */
const refusal =
  /unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra|deprecated|(?:not|n['’]t) (?:allowed|permitted)|only the default/i

type Body = Readonly<Record<string, unknown>>

export interface Refusals {
  has(parameter: string): boolean
  /** The body without what has been refused. */
  without(body: Body): Body
  /** Whether an error says that a parameter of this body is refused. It is remembered, so that a body can be refused only so often. */
  learn(error: unknown, body: Body): boolean
}

/** What one model has refused. */
export function createRefusals(): Refusals {
  const refused = new Set<string>()
  return {
    has: (parameter) => refused.has(parameter),
    without: (body) => Object.fromEntries(Object.entries(body).filter(([name]) => !refused.has(name))),
    learn(error, body) {
      const { status, param, code, message } = ((error as Error).cause ?? {}) as Body
      if ((status !== 400 && status !== 422) || !refusal.test(`${code} ${message}`)) return false
      const sent = refusable.filter((name) => body[name] !== undefined)
      const named = sent.filter((name) => name === param || new RegExp(`\\b${name}\\b`).test(String(message)))
      const [first] = named.includes(String(param)) ? [String(param)] : named
      if (first !== undefined) refused.add(first)
      return first !== undefined
    },
  }
}
