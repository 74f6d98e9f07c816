/** A resource that can be reopened while it is in use. Work that began with the old one finishes with it. */
import { toError } from '../../errors.ts'
import { closeAll } from '../../runtime/close-all.ts'

export interface Renewable<Resource> {
  /** Uses the current resource, which stays open until the work is done. */
  use<Result>(work: (resource: Resource) => Promise<Result>): Promise<Result>
  /**
   * Opens a new resource for the work that follows, and closes the old one once it is unused. Calls during an opening share
   * one further opening after it. After `close` it does nothing.
   *
   * @throws as `open`: the old resource stays in use
   */
  renew(): Promise<void>
  /** Closes all open resources, even those in use. */
  close(): Promise<void>
}

interface Held<Resource> {
  readonly resource: Resource
  users: number
}

export interface RenewableOptions<Resource> {
  /** The first resource. It is closed like the others. */
  readonly first: Resource
  readonly open: () => Promise<Resource>
  /** Called if an old resource cannot be closed. No caller waits for that. */
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

  /** Closes a resource that is neither current nor in use. */
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
      if (current === undefined) throw new Error('The resource is closed')
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
      const resources = Array.from(held, ({ resource }) => resource)
      held.clear()
      // `swap` closes a resource that is being opened.
      await closeAll([...resources, { close: async () => opening?.catch(() => {}) }])
    },
  }
}
