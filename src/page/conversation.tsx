/** The turns of a conversation before the query. */
import type { GivenTurn } from '../types.ts'

interface ConversationProps {
  readonly history: readonly GivenTurn[]
  readonly onChange: (history: readonly GivenTurn[]) => void
}

export function Conversation({ history, onChange }: ConversationProps) {
  const change = (place: number, turn: GivenTurn): void => onChange(history.with(place, turn))
  return (
    <details class="conversation">
      <summary>Earlier turns{history.length > 0 && ` (${history.length})`}</summary>
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
