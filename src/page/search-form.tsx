/** Where a query and a conversation are typed. */
import type { RefObject } from 'preact'
import { type Form, mostHits } from './address.ts'
import { Conversation } from './conversation.tsx'
import { count } from './words.ts'

interface SearchFormProps {
  readonly form: Form
  readonly others: readonly string[]
  readonly input: RefObject<HTMLInputElement | null>
  readonly isSearching: boolean
  readonly onChange: (form: Form) => void
  readonly onSubmit: () => void
  /** Searches again, beside another optimizer or beside none. */
  readonly onCompare: (beside: string | undefined) => void
  readonly onStop: () => void
}

export function SearchForm({
  form,
  others,
  input,
  isSearching,
  onChange,
  onSubmit,
  onCompare,
  onStop,
}: SearchFormProps) {
  const { text, k, history, beside } = form
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isSearching) return
          // The browser would clear the field.
          event.preventDefault()
          onStop()
        }}
      >
        <div class="query">
          <label class="hidden" for="query">
            Query
          </label>
          <input
            ref={input}
            id="query"
            type="search"
            autocomplete="off"
            placeholder="Ask or search …"
            value={text}
            onInput={({ currentTarget }) => onChange({ ...form, text: currentTarget.value })}
          />
          {isSearching ? (
            <button type="button" onClick={onStop}>
              Stop
            </button>
          ) : (
            <button type="submit" class="main">
              Search
            </button>
          )}
        </div>
        <details class="choices">
          <summary>
            Options
            {history.length > 0 && ` · ${count(history.length, 'turn')}`}
            {beside !== undefined && ` · compared`}
          </summary>
          <div>
            <label>
              Hits
              <input
                type="number"
                min="1"
                max={mostHits}
                required
                value={k}
                onInput={({ currentTarget }) => onChange({ ...form, k: currentTarget.valueAsNumber })}
              />
            </label>
            {others.length > 0 && (
              <label>
                Compare with
                <select
                  value={beside ?? ''}
                  onChange={({ currentTarget: { value } }) => onCompare(value === '' ? undefined : value)}
                >
                  <option value="">your words alone</option>
                  {others.map((name) => (
                    <option key={name} value={name}>
                      {name === 'none' ? 'a search of your words alone' : name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <Conversation {...{ history }} onChange={(turns) => onChange({ ...form, history: turns })} />
          </div>
        </details>
      </form>
    </search>
  )
}
