/** Where a search through the proxy is typed. The browser keeps the index and the fields. */
import { useState } from 'preact/hooks'
import type { ProxySearch } from './ask-proxy.ts'
import { keep, readKept } from './kept.ts'
import { QueryForm } from './query-form.tsx'

interface ProxyFormProps {
  readonly onSearch: (search: ProxySearch) => void
  readonly onStop: () => void
  readonly isSearching: boolean
}

const place = 'querent proxy form'

export function ProxyForm({ onSearch, onStop, isSearching }: ProxyFormProps) {
  const [form, setForm] = useState<ProxySearch>(() => ({ text: '', history: [], ...kept() }))
  const { text, index, fields } = form
  return (
    <QueryForm
      {...{ ...form, isSearching, onStop }}
      placeholder="Search through the proxy …"
      onType={(typed) => setForm({ ...form, ...typed })}
      onSubmit={() => {
        keep(place, { index, fields })
        if (text.trim() !== '') onSearch({ ...form, text: text.trim() })
      }}
    >
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
    </QueryForm>
  )
}

function kept(): Pick<ProxySearch, 'index' | 'fields'> {
  const { index = '', fields = 'title, text' } = Object(readKept(place))
  return { index: String(index), fields: String(fields) }
}
