/** Notices that the index of a folder was replaced. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { readManifest } from './manifest.ts'

export interface WatchOptions {
  /** The generation that is open. */
  readonly generation: () => string
  /** Called once for each replacement by another generation, also where what is there now cannot be read. */
  readonly onReplaced: () => void
  /** Milliseconds between two looks. Default: 1,000. */
  readonly every?: number | undefined
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock | undefined
}

/**
 * Looks at the manifest of an index folder every second: one `stat`, and more only where that has changed. Events of the file
 * system would be sooner, but network disks and containers have none. Gives what ends it.
 */
export function watchIndex(
  folder: string,
  { generation, onReplaced, every = 1000, clock = systemClock }: WatchOptions,
): () => void {
  const path = join(folder, 'index.json')
  let seen: string | undefined
  let isOver = false
  let cancel = clock.after(every, look)

  async function isReplaced(): Promise<boolean> {
    const found = await stat(path).catch(() => undefined)
    // A manifest that is gone is not replaced: what is open goes on.
    if (found === undefined) return false
    const identity = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (identity === seen) return false
    seen = identity
    const manifest = await readManifest(folder).catch(() => undefined)
    return manifest?.generation !== generation()
  }

  function look(): void {
    void isReplaced().then((replaced) => {
      if (isOver) return
      if (replaced) onReplaced()
      cancel = clock.after(every, look)
    })
  }

  return () => {
    isOver = true
    cancel()
  }
}
