/** What a large request does little by little, so that others are heard meanwhile and nothing is done when nobody waits for it. */
import { setImmediate } from 'node:timers/promises'

/** Things that are done in one go. */
const turn = 64

/** Waited for before the thing of this place. @throws the signal's reason */
export async function nextTurn(place: number, signal: AbortSignal): Promise<void> {
  if (place % turn === turn - 1) await setImmediate()
  signal.throwIfAborted()
}
