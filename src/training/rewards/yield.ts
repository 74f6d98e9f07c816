/** What a large request does little by little, so that others are heard meanwhile and nothing is done when nobody waits for it. */
import { setImmediate } from 'node:timers/promises'

/** Things that are done in one go. */
const turn = 64

/** Makes something of each thing, one after the other. @throws the signal's reason */
export async function mapYielding<Thing, Made>(
  things: readonly Thing[],
  make: (thing: Thing, place: number) => Made | Promise<Made>,
  signal: AbortSignal,
): Promise<Made[]> {
  const made: Made[] = []
  for (const [place, thing] of things.entries()) {
    if (place % turn === turn - 1) await setImmediate()
    signal.throwIfAborted()
    made.push(await make(thing, place))
  }
  return made
}
