/** The latest searches of a proxy, asked for again and again while the page is seen. */
import { useEffect, useState } from 'preact/hooks'
import type { RecentSearch } from '../../adapters/apps/proxy/inspect.ts'
import { searchesAfter } from './ask-proxy.ts'

const everyMs = 1500
/** How many are listed. */
const most = 200

export function useRecent() {
  const [recent, setRecent] = useState<readonly RecentSearch[]>([])
  const [isLost, setLost] = useState(false)

  useEffect(() => {
    const end = new AbortController()
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(): Promise<void> {
      try {
        const { last: now, searches } = await searchesAfter(last, end.signal)
        // Another proxy, which counts from 1 again.
        const isAnew = now < last
        last = isAnew ? 0 : now
        if (isAnew) setRecent([])
        else if (searches.length > 0) setRecent((before) => [...searches, ...before].slice(0, most))
        setLost(false)
      } catch {
        setLost(!end.signal.aborted)
      }
      if (!end.signal.aborted) timer = setTimeout(look, everyMs)
    }
    const onVisible = (): void => {
      clearTimeout(timer)
      if (!document.hidden) void look()
    }
    void look()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      end.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [])

  return { recent, isLost }
}
