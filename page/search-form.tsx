/** Where a query and a conversation are typed. */
import type { RefObject } from 'preact'
import type { GivenTurn } from '../src/types.ts'
import { type Form, mostHits } from './address.ts'

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

interface ConversationProps {
  readonly history: readonly GivenTurn[]
  readonly onChange: (history: readonly GivenTurn[]) => void
}

function Conversation({ history, onChange }: ConversationProps) {
  const change = (place: number, turn: GivenTurn): void => onChange(history.with(place, turn))
  return (
    <details class="conversation">
      <summary>Conversation before it{history.length > 0 && ` (${history.length})`}</summary>
      {history.map(({ role, text }, place) => (
        <div class="turn" key={place}>
          <select
            aria-label={`Speaker of turn ${place + 1}`}
            value={role}
            onChange={({ currentTarget }) =>
              change(place, { role: currentTarget.value as GivenTurn['role'], text })
            }
          >
            <option value="user">User</option>
            <option value="agent">Agent</option>
          </select>
          <textarea
            aria-label={`Turn ${place + 1}`}
            rows={2}
            value={text}
            onInput={({ currentTarget }) => change(place, { role, text: currentTarget.value })}
          />
          <button
            type="button"
            aria-label={`Remove turn ${place + 1}`}
            onClick={() => onChange(history.toSpliced(place, 1))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        onClick={() => {
          const role = history.at(-1)?.role === 'user' ? 'agent' : 'user'
          onChange([...history, { role, text: '' }])
        }}
      >
        Add a turn
      </button>
    </details>
  )
}
