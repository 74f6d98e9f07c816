/** Where a query and a conversation are typed. */
import type { RefObject } from 'preact'
import { type Form, mostHits } from './address.ts'
import { Conversation } from './conversation.tsx'

interface SearchFormProps {
  readonly form: Form
  readonly others: readonly string[]
  readonly input: RefObject<HTMLInputElement | null>
  readonly isSearching: boolean
  readonly onChange: (form: Form) => void
  readonly onSubmit: () => void
  readonly onStop: () => void
}

export function SearchForm({
  form,
  others,
  input,
  isSearching,
  onChange,
  onSubmit,
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
        onKeyDown={({ key }) => key === 'Escape' && isSearching && onStop()}
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
        <div class="choices">
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
              Beside
              <select
                value={beside ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  onChange({ ...form, beside: value === '' ? undefined : value })
                }
              >
                <option value="">nothing</option>
                {others.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          )}
          <Conversation {...{ history }} onChange={(turns) => onChange({ ...form, history: turns })} />
        </div>
      </form>
    </search>
  )
}
