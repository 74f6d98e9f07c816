/** Work that is under way, so that whoever wants the same waits for it. It ends when nobody waits for it any more. */
import { toError } from '../errors.ts'
import { onAbort, shareTime, untilAborted } from './deadline.ts'

interface Flight<T> {
  readonly result: Promise<T>
  readonly controller: AbortController
  readonly fresh: boolean
  waiting: number
}

interface JoinOptions {
  readonly signal?: AbortSignal | undefined
  /** Joins only work that is fresh itself. */
  readonly fresh: boolean
}

export interface Flights<T> {
  join(
    key: string,
    start: (signal: AbortSignal) => Promise<T>,
    options: JoinOptions,
  ): Promise<{ readonly value: T; readonly isJoined: boolean }>
}

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>()

  function begin(
    key: string,
    start: (signal: AbortSignal) => Promise<T>,
    { signal, fresh }: JoinOptions,
  ): Flight<T> {
    const controller = new AbortController()
    shareTime(controller.signal, signal)
    const flight: Flight<T> = { result: start(controller.signal), controller, fresh, waiting: 0 }
    flights.set(key, flight)
    const land = (): void => {
      if (flights.get(key) === flight) flights.delete(key)
    }
    flight.result.then(land, land)
    return flight
  }

  return {
    async join(key, start, { signal, fresh }) {
      signal?.throwIfAborted()
      const under = flights.get(key)
      const isJoined = under !== undefined && !under.controller.signal.aborted && (under.fresh || !fresh)
      const flight = isJoined ? under : begin(key, start, { signal, fresh })
      flight.waiting++
      let isWaiting = true
      const leave = (): void => {
        if (!isWaiting) return
        isWaiting = false
        flight.waiting--
        if (flight.waiting === 0 && signal?.aborted) flight.controller.abort(toError(signal.reason))
      }
      const stopWatching = signal === undefined ? () => {} : onAbort(signal, leave)
      try {
        const { result } = flight
        return { value: await (signal === undefined ? result : untilAborted(result, signal)), isJoined }
      } finally {
        stopWatching()
        leave()
      }
    },
  }
}
