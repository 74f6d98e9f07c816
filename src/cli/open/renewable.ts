/** Something open that may be opened anew while it is used: whoever uses the old one keeps it to the end. */
import { toError } from '../../errors.ts'

export interface Renewable<Resource> {
  /** Uses what is open now. It stays open until the work is done, whatever is opened meanwhile. */
  use<Result>(work: (resource: Resource) => Promise<Result>): Promise<Result>
  /**
   * Opens another one, and uses it from then on; the old one is closed when nobody uses it any more. Calls while one is being
   * opened share one more opening after it. After `close` nothing is opened.
   *
   * @throws what opening throws: the old one stays in use
   */
  renew(): Promise<void>
  /** Closes all that is open, used or not. */
  close(): Promise<void>
}

interface Held<Resource> {
  readonly resource: Resource
  users: number
}

export interface RenewableOptions<Resource> {
  /** What is open, and is closed with the rest. */
  readonly first: Resource
  readonly open: () => Promise<Resource>
  /** Called when an old one could not be closed: nobody waits for that. */
  readonly onError: (error: Error) => void
}

export function renewable<Resource extends { close(): Promise<void> }>({
  first,
  open,
  onError,
}: RenewableOptions<Resource>): Renewable<Resource> {
  let current: Held<Resource> | undefined = { resource: first, users: 0 }
  const held = new Set([current])
  let opening: Promise<void> | undefined
  let again: Promise<void> | undefined

  /** Closes one that is neither current nor used. */
  function release(one: Held<Resource>): void {
    if (one === current || one.users > 0 || !held.delete(one)) return
    one.resource.close().catch((thrown: unknown) => onError(toError(thrown)))
  }

  async function swap(): Promise<void> {
    const opened = { resource: await open(), users: 0 }
    held.add(opened)
    const old = current
    if (old !== undefined) current = opened
    release(old ?? opened)
  }

  async function renew(): Promise<void> {
    if (current === undefined) return
    if (opening !== undefined) {
      again ??= opening
        .catch(() => {})
        .then(() => {
          again = undefined
          return renew()
        })
      return again
    }
    opening = swap().finally(() => {
      opening = undefined
    })
    return opening
  }

  return {
    async use(work) {
      if (current === undefined) throw new Error('it is closed')
      const one = current
      one.users++
      try {
        return await work(one.resource)
      } finally {
        one.users--
        release(one)
      }
    },
    renew,
    async close() {
      current = undefined
      await Promise.all(
        [...held].map((one) => {
          held.delete(one)
          return one.resource.close()
        }),
      )
      // One that is being opened is closed by itself.
      await opening?.catch(() => {})
    },
  }
}
