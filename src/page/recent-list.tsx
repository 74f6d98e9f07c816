/** The latest searches of a proxy. Each opens its explanation. */
import type { RecentSearch } from '../../adapters/apps/proxy/inspect.ts'
import { kindWords, milliseconds } from './words.ts'

interface RecentListProps {
  readonly recent: readonly RecentSearch[]
  readonly isLost: boolean
  readonly opened: number | undefined
}

export function RecentList({ recent, isLost, opened }: RecentListProps) {
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
        {recent.map((search) => (
          <li key={search.id}>
            <a {...(isExplained(search) && { href: `#${search.id}` })} aria-current={search.id === opened}>
              <span class="words">{search.text ?? 'A search whose words were not read'}</span>
              <Facts search={search} />
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const isExplained = ({ text, kind }: RecentSearch): boolean => text !== undefined && kind !== undefined

function Facts({ search: { at, kind, ms, said = 'the caller left' } }: { readonly search: RecentSearch }) {
  const time = new Date(at)
  return (
    <span class="soft">
      <time dateTime={time.toISOString()}>{time.toLocaleTimeString()}</time>
      {kind !== undefined && <span class={`decided ${kind}`}>{kindWords[kind]}</span>}
      {ms !== undefined && <span>{milliseconds(ms)}</span>}
      <span class="why">{said}</span>
    </span>
  )
}
