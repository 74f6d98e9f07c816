/** Lets all searches pass through, and optimizes again, without a restart: by a signal, or while a file exists. */
import { existsSync } from 'node:fs'
import { systemClock } from '../../runtime/clock.ts'
import { say, type Terminal } from '../output/terminal.ts'

/** Milliseconds for which it is known whether the file exists. */
const known = 1000

export function openKillSwitch(
  { offFile }: { readonly offFile?: string | undefined },
  terminal: Terminal,
): { isOff(): boolean; close(): void } {
  const { clock = systemClock } = terminal
  let [isSwitched, isThere] = [false, false]
  let checked = Number.NEGATIVE_INFINITY

  const tell = (isOff: boolean, by: string): void =>
    say(terminal, isOff ? `Off (${by}): all searches pass through.` : `On (${by}): searches are optimized.`)

  function check(file: string): void {
    if (clock.now() - checked < known) return
    checked = clock.now()
    const wasThere = isThere
    isThere = existsSync(file)
    if (isThere !== wasThere) tell(isThere || isSwitched, file)
  }

  const stopListening = terminal.onSwitch?.(() => {
    isSwitched = !isSwitched
    tell(isSwitched || isThere, 'SIGUSR2')
  })
  return {
    isOff() {
      if (offFile !== undefined) check(offFile)
      return isSwitched || isThere
    },
    close: () => stopListening?.(),
  }
}
