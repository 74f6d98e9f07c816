/** Where a search through the proxy is typed. The browser keeps the index and the fields. */
import { useState } from 'preact/hooks'
import type { ProxySearch } from './ask-proxy.ts'
import { Conversation } from './conversation.tsx'
import { keep, readKept } from './kept.ts'

interface ProxyFormProps {
  readonly onSubmit: (search: ProxySearch) => void
  readonly isSearching: boolean
}

const place = 'querent proxy form'

export function ProxyForm({ onSubmit, isSearching }: ProxyFormProps) {
  const [form, setForm] = useState<ProxySearch>(() => ({ text: '', history: [], ...kept() }))
  const { text, history, index, fields } = form
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          keep(place, { index, fields })
          if (text.trim() !== '') onSubmit({ ...form, text: text.trim() })
        }}
      >
        <div class="query">
          <label class="hidden" for="query">
            Query
          </label>
          <input
            id="query"
            type="search"
            autocomplete="off"
            placeholder="Search through the proxy …"
            value={text}
            onInput={({ currentTarget: { value } }) => setForm({ ...form, text: value })}
          />
          <button type="submit" class="main" disabled={isSearching}>
            Search
          </button>
        </div>
        <div class="choices">
          <label>
            Index
            <input
              value={index}
              placeholder="all"
              onInput={({ currentTarget: { value } }) => setForm({ ...form, index: value.trim() })}
            />
          </label>
          <label>
            Fields
            <input
              value={fields}
              required
              onInput={({ currentTarget: { value } }) => setForm({ ...form, fields: value })}
            />
          </label>
          <Conversation {...{ history }} onChange={(turns) => setForm({ ...form, history: turns })} />
        </div>
      </form>
    </search>
  )
}

function kept(): Pick<ProxySearch, 'index' | 'fields'> {
  const { index = '', fields = 'title, text' } = Object(readKept(place))
  return { index: String(index), fields: String(fields) }
}
