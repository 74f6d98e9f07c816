/** One run of a policy along a path of completions. Where the path ends, it goes on with new ones. */
import { isQuerentError, QuerentError, toError } from '../../errors.ts'
import type { Policy, Tools } from '../../policy.ts'
import { type Prompt, parsed } from '../../prompt.ts'
import type { Query, SearchResult } from '../../types.ts'
import { type Branching, type Complete, completionsOf } from './branching.ts'
import { isMerged, type Merge } from './merge.ts'
import type { Action, AskedPrompt, End, Growing } from './tree.ts'

/** Milliseconds for a search that waits for models: an hour. The caller's signal ends it earlier. */
const patience = 3_600_000

export interface RunOptions {
  /** Runs one search with the policy. It has to end when the signal aborts, as an optimizer's does. */
  readonly search: (query: Query, policy: Policy, signal: AbortSignal) => Promise<SearchResult>
  readonly complete: Complete
  readonly branch: (asked: AskedPrompt) => Branching
  /** The reward of a run that came to its end. */
  readonly reward: (result: SearchResult, path: readonly Action[]) => number | Promise<number>
  /** What a completion that does not parse does: ends the run as a failed leaf, or rejects, so that the policy falls back. */
  readonly invalid: 'fails' | 'falls-back'
  readonly failedReward: number
  readonly merge: Merge | undefined
  readonly signal: AbortSignal
}

/** For a policy that must not learn how its run ended, because it would fall back: a promise that nobody settles. */
const never = (): Promise<never> => new Promise(() => {})

/**
 * Runs the policy, and says how the run ended.
 *
 * @param path from the root to the completion that is tried. It grows with the first completion of each new prompt.
 * @param onOther called with the path to each further completion
 * @throws QuerentError `not-deterministic`; the error of `search`, `complete` or `reward`
 */
export async function runAlong(
  query: Query,
  policy: Policy,
  path: Growing[],
  onOther: (path: Growing[]) => void,
  options: RunOptions,
): Promise<End> {
  const { complete, branch, reward, invalid, failedReward, merge } = options
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, options.signal])
  const unused = new Set(path.slice(1))
  const askedBefore = new Map<string, number>()
  let asks = 0
  let turn: Promise<unknown> = Promise.resolve()
  let conclude: (end: End) => void
  let giveUp: (error: unknown) => void
  const concluded = new Promise<End>((resolve, reject) => {
    conclude = resolve
    giveUp = reject
  })

  /** Ends the run here and now. */
  function end(tell: () => void): Promise<never> {
    tell()
    over.abort()
    return never()
  }
  const fail = (why: string): Promise<never> => end(() => conclude({ reward: failedReward, failed: why }))

  /** The first completion of a prompt that is new on this path. */
  async function grow(prompt: Prompt<never, unknown>, asked: AskedPrompt, key: string): Promise<Growing> {
    const tried = await completionsOf(branch(asked), () => complete(prompt, asked.messages, signal))
    if (over.signal.aborted) return never()
    const agent = policy.agents?.includes(asked.prompt) === true ? { agent: asked.prompt } : {}
    const [first, ...others] = tried.map(
      ({ text, unusable, ...more }): Growing => ({
        key,
        unusable,
        action: { ...asked, ...agent, completion: text, ...more },
        children: [],
      }),
    )
    for (const other of others.toReversed()) onOther([...path, other])
    path.at(-1)!.children.push(first!)
    path.push(first!)
    return first!
  }

  async function nodeFor(
    prompt: Prompt<never, unknown>,
    asked: Omit<AskedPrompt, 'depth'>,
    key: string,
  ): Promise<Growing> {
    const known = path.find((node) => node.key === key)
    if (known !== undefined) return known
    if (merge?.at === asked.prompt && isMerged(path, asked.messages, merge))
      return end(() => conclude({ pruned: true }))
    const depth = path.length - 1
    return grow(prompt, { ...asked, depth }, key).catch((error: unknown) => end(() => giveUp(error)))
  }

  function ask<Input, Output>(prompt: Prompt<Input, Output>, input: Input): Promise<Output> {
    const messages = prompt.render(input)
    const words = JSON.stringify([prompt.name, messages])
    const times = askedBefore.get(words) ?? 0
    askedBefore.set(words, times + 1)

    async function answer(): Promise<Output> {
      if (over.signal.aborted) return never()
      const asked = { prompt: prompt.name, messages, input, times }
      const node = await nodeFor(prompt, asked, `${times} ${words}`)
      unused.delete(node)
      try {
        if (node.unusable !== undefined) throw new QuerentError('bad-completion', node.unusable)
        return parsed(prompt, node.action!.completion, input)
      } catch (thrown) {
        const why = isQuerentError(thrown) ? thrown.what : toError(thrown).message
        if (invalid === 'fails') return fail(why)
        node.action = { ...node.action!, invalid: why }
        throw thrown
      }
    }
    // One after the other, in the order of their calls. When the run is over, the turn never comes.
    const answered = turn.then(answer)
    turn = answered.catch(() => {})
    return answered
  }

  /** The tools of a search, with the path in place of models. What exceeds the budget ends the run. */
  const exploring = (tools: Tools): Tools => ({
    ...tools,
    ask: (prompt, input) => (++asks > tools.budget.asks ? fail('budget-exceeded') : ask(prompt, input)),
    retrieve: (texts, request) =>
      tools
        .retrieve(texts, request)
        .catch((error: unknown) =>
          isQuerentError(error, 'budget-exceeded') ? fail('budget-exceeded') : Promise.reject(error),
        ),
  })
  const explored: Policy = {
    ...policy,
    prompts: [],
    budget: { ...policy.budget, timeout: patience, askTimeout: patience },
    run: (given, tools) => policy.run(given, exploring(tools)),
  }
  const searched = options.search(query, explored, signal).then((result): End | Promise<End> => {
    for (const node of unused) throw notDeterministic(policy, node.action!.prompt)
    const { fallback } = result.trace
    // Having found nothing is no failure of the run: it is what its completions are worth.
    if (fallback !== undefined && fallback.code !== 'no-hits')
      return { reward: failedReward, failed: fallback.code }
    const actions = path.flatMap(({ action }) => action ?? [])
    return Promise.resolve(reward(result, actions)).then((value) => ({ reward: value }))
  })
  try {
    return await Promise.race([concluded, searched])
  } finally {
    over.abort()
    // Nothing goes on afterwards.
    await searched.catch(() => {})
  }
}

const notDeterministic = ({ name }: Policy, prompt: string): QuerentError =>
  new QuerentError(
    'not-deterministic',
    `Policy "${name}" was run again with the same answers and did not ask "${prompt}" as before`,
  )
