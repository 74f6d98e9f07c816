/** The latest searches of a proxy, asked for again and again while the page is seen. Each opens its explanation. */
import { useEffect, useState } from 'preact/hooks'
import type { RecentSearch } from '../../adapters/apps/proxy/inspect.ts'
import { searchesAfter } from './ask-proxy.ts'
import { kindWords, milliseconds } from './words.ts'

const everyMs = 1500
/** How many are listed. */
const most = 200

export function RecentSearches({ opened }: { readonly opened: number | undefined }) {
  const [recent, setRecent] = useState<readonly RecentSearch[]>([])
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    let last = 0
    async function look(): Promise<void> {
      if (document.hidden) return
      try {
        const { last: now, searches } = await searchesAfter(last, AbortSignal.timeout(everyMs))
        // Another proxy, which counts from 1 again.
        const isAnew = now < last
        last = isAnew ? 0 : now
        if (isAnew) setRecent([])
        else if (searches.length > 0) setRecent((before) => [...searches, ...before].slice(0, most))
        setLost(false)
      } catch {
        setLost(true)
      }
    }
    void look()
    const timer = setInterval(look, everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <nav class="recent" aria-label="Recent searches">
      <h2>Recent searches</h2>
      {isLost && (
        <p class="trouble" role="alert">
          The proxy does not answer. The page tries again.
        </p>
      )}
      {recent.length === 0 && !isLost && <p class="soft">None yet. They are listed as they come.</p>}
      <ol>
        {recent.map(({ id, text, kind, ms, at, said = 'the caller left' }) => (
          <li key={id}>
            <a
              {...(text !== undefined && kind !== undefined && { href: `#${id}` })}
              aria-current={id === opened}
            >
              <span class="words">{text ?? 'A search whose words were not read'}</span>
              <span class="soft">
                <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
                {kind !== undefined && <span class={`decided ${kind}`}>{kindWords[kind]}</span>}
                {ms !== undefined && <span>{milliseconds(ms)}</span>}
                <span class="why">{said}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
