/** Asks chat models within a search's budget, and writes it into the trace. */
import type { FullBudget, Ledger } from './budget.ts'
import { notServed } from './check-setup.ts'
import type { Tools } from './policy.ts'
import { checkPrices, costOf, type Prices } from './prices.ts'
import { runPrompt, type Usage } from './prompt.ts'
import type { RerankTools } from './reranker.ts'
import type { Clock } from './runtime/clock.ts'
import { withDeadline } from './runtime/deadline.ts'
import type { Recorder } from './trace.ts'
import type { ChatModel } from './types.ts'

export interface AskSettings {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly recorder: Recorder
  readonly budget: FullBudget
  readonly ledger: Ledger
  /** What models cost, for the trace and for a budget in dollars. */
  readonly prices: Prices
  readonly modelFor: (prompt: string) => ChatModel | undefined
  /** Called with each piece of an answer as it is written. */
  readonly onText: ((piece: string) => void) | undefined
}

type AskModel = NonNullable<RerankTools['ask']>

/** Runs prompts on given models, each within its own time. */
export const createAskModel =
  ({ clock, signal, recorder, budget, ledger, prices, onText }: Omit<AskSettings, 'modelFor'>): AskModel =>
  async (prompt, input, model, timeout) => {
    signal.throwIfAborted()
    // A re-ranker need not say before which models it asks.
    checkPrices(budget, [model], prices)
    ledger.checkSpent()
    const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    const step = recorder.begin<'ask'>({
      type: 'ask',
      prompt: prompt.name,
      ...(prompt.final && { final: true }),
      model: model.name,
      ...usage,
    })
    return recorder.during(step, async () => {
      const limit = { parent: signal, ms: timeout, what: `Chat model "${model.name}"` }
      try {
        return await withDeadline(clock, limit, (signal) =>
          runPrompt(prompt, input, { model, usage, signal, onText }),
        )
      } finally {
        const usd = costOf(usage.tokens, prices[model.name])
        ledger.spend(usage.tokens, usd ?? 0)
        Object.assign(step, usage, usd !== undefined && { usd })
      }
    })
  }

/** Runs prompts on the models that serve them, within the budget. */
export const createAsk =
  (
    { signal, budget, ledger, modelFor }: Pick<AskSettings, 'signal' | 'budget' | 'ledger' | 'modelFor'>,
    askModel: AskModel,
  ): Tools['ask'] =>
  async (prompt, input) => {
    signal.throwIfAborted()
    ledger.ask()
    const model = modelFor(prompt.name)
    if (model === undefined) throw notServed(prompt.name)
    return askModel(prompt, input, model, budget.askTimeout)
  }
