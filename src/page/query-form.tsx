/** Where a query and a conversation are typed. Its children are what else can be chosen. */
import type { ComponentChildren, RefObject } from 'preact'
import type { GivenTurn } from '../types.ts'
import { Button } from './button.tsx'

interface Typed {
  readonly text: string
  readonly history: readonly GivenTurn[]
}

export interface QueryFormProps extends Typed {
  readonly placeholder: string
  /** What is chosen, in words; the choices are in sight without. */
  readonly summary?: string
  readonly input?: RefObject<HTMLInputElement | null>
  readonly isSearching: boolean
  readonly onType: (typed: Partial<Typed>) => void
  readonly onSubmit: () => void
  readonly onStop: () => void
  readonly children: ComponentChildren
}

export function QueryForm({ text, history, placeholder, summary, input, ...props }: QueryFormProps) {
  const { isSearching, onType, onSubmit, onStop, children } = props
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
          <input
            ref={input ?? null}
            aria-label="Query"
            id="query"
            type="search"
            autocomplete="off"
            placeholder={placeholder}
            value={text}
            onInput={({ currentTarget: { value } }) => onType({ text: value })}
          />
          {isSearching ? (
            <Button onClick={onStop}>Stop</Button>
          ) : (
            <Button type="submit" class="main">
              Search
            </Button>
          )}
        </div>
        <details class="choices" open={summary === undefined}>
          <summary>{summary ?? 'Options'}</summary>
          <div>
            {children}
            <Conversation {...{ history, onType }} />
          </div>
        </details>
      </form>
    </search>
  )
}

/** The turns of a conversation before the query. */
function Conversation({ history, onType }: Pick<QueryFormProps, 'history' | 'onType'>) {
  const onChange = (turns: readonly GivenTurn[]): void => onType({ history: turns })
  const next = history.at(-1)?.role === 'user' ? 'agent' : 'user'
  return (
    <details class="conversation">
      <summary>Earlier turns{history.length > 0 && ` (${history.length})`}</summary>
      {history.map((turn, place) => {
        const change = (part: Partial<GivenTurn>): void => onChange(history.with(place, { ...turn, ...part }))
        return (
          <div class="turn" key={place}>
            <select
              aria-label={`Speaker of turn ${place + 1}`}
              value={turn.role}
              onChange={({ currentTarget: { value } }) => change({ role: value as GivenTurn['role'] })}
            >
              <option value="user">User</option>
              <option value="agent">Agent</option>
            </select>
            <textarea
              aria-label={`Turn ${place + 1}`}
              rows={2}
              value={turn.text}
              onInput={({ currentTarget: { value } }) => change({ text: value })}
            />
            <Button
              aria-label={`Remove turn ${place + 1}`}
              onClick={() => onChange(history.toSpliced(place, 1))}
            >
              ×
            </Button>
          </div>
        )
      })}
      <Button onClick={() => onChange([...history, { role: next, text: '' }])}>Add a turn</Button>
    </details>
  )
}
