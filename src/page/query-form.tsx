/** Where a query and a conversation are typed. Its children are what else can be chosen. */
import type { ComponentChildren, RefObject } from 'preact'
import type { GivenTurn } from '../types.ts'
import { Button } from './button.tsx'
import { Conversation } from './conversation.tsx'

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
            <Conversation history={history} onChange={(turns) => onType({ history: turns })} />
          </div>
        </details>
      </form>
    </search>
  )
}
