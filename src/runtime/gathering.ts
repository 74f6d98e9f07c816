/** Collects what is asked for in one turn of the event loop, and asks for all of it together. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toError } from '../errors.ts'
import { onAbort } from './deadline.ts'

interface Asked<Question> {
  readonly question: Question
  readonly signal: AbortSignal
}

/**
 * @param askAll one answer for each question, in their order. Its signal aborts when the signals of all questions have
 * @returns the answer to one question; rejects with the error of its batch
 */
export function gathering<Question, Answer>(
  askAll: (questions: readonly Question[], signal: AbortSignal) => Promise<readonly Answer[]>,
): (question: Question, signal: AbortSignal) => Promise<Answer> {
  let batch: { readonly asked: Asked<Question>[]; readonly answers: Promise<readonly Answer[]> } | undefined

  async function send(asked: readonly Asked<Question>[]): Promise<readonly Answer[]> {
    await nextTurn()
    batch = undefined
    const controller = new AbortController()
    const signals = new Set(asked.map(({ signal }) => signal))
    let wanted = signals.size
    const stops = [...signals].map((signal) => {
      const leave = (): void => {
        if (--wanted === 0) controller.abort(toError(signal.reason))
      }
      return signal.aborted ? leave() : onAbort(signal, leave)
    })
    try {
      controller.signal.throwIfAborted()
      return await askAll(
        asked.map(({ question }) => question),
        controller.signal,
      )
    } finally {
      for (const stop of stops) stop?.()
    }
  }

  return async (question, signal) => {
    if (batch === undefined) {
      const asked: Asked<Question>[] = []
      batch = { asked, answers: send(asked) }
    }
    const { asked, answers } = batch
    const place = asked.push({ question, signal }) - 1
    return (await answers)[place]!
  }
}
