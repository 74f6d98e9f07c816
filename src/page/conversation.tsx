/** The turns of a conversation before the query. */
import type { GivenTurn } from '../types.ts'
import { Button } from './button.tsx'

interface ConversationProps {
  readonly history: readonly GivenTurn[]
  readonly onChange: (history: readonly GivenTurn[]) => void
}

export function Conversation({ history, onChange }: ConversationProps) {
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
