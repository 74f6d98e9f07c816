/** Detects that a build has replaced the index of a folder. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { readManifest } from './manifest.ts'

export interface WatchOptions {
  /** Returns the name of the open generation. */
  readonly generation: () => string
  /** Called once per replacement, even if the new index cannot be read. */
  readonly onReplaced: () => void
  /** Milliseconds between two checks. Default: 1,000. */
  readonly every?: number | undefined
  /** The clock; tests replace it. Default: the system clock. */
  readonly clock?: Clock | undefined
}

/**
 * Checks the manifest of an index folder every second. A check costs one `stat`; the manifest is read only if its file has
 * changed. File system events would be faster, but network disks and containers do not deliver them. Returns a function that
 * stops watching.
 */
export function watchIndex(
  folder: string,
  { generation, onReplaced, every = 1000, clock = systemClock }: WatchOptions,
): () => void {
  const path = join(folder, 'index.json')
  let seen: string | undefined
  let isOver = false
  let cancel = clock.after(every, check)

  async function isReplaced(): Promise<boolean> {
    const found = await stat(path).catch(() => undefined)
    // A missing manifest is not a replacement: the open index stays in use.
    if (found === undefined) return false
    const identity = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (identity === seen) return false
    seen = identity
    const manifest = await readManifest(folder).catch(() => undefined)
    return manifest?.generation !== generation()
  }

  function check(): void {
    void isReplaced().then((replaced) => {
      if (isOver) return
      if (replaced) onReplaced()
      cancel = clock.after(every, check)
    })
  }

  return () => {
    isOver = true
    cancel()
  }
}
