/** Where a search through the proxy is typed. The browser keeps the index and the fields. */
import { useState } from 'preact/hooks'
import type { ProxySearch } from './ask-proxy.ts'
import { keep, readKept } from './kept.ts'
import { QueryForm, type QueryFormProps } from './query-form.tsx'

interface ProxyFormProps extends Pick<QueryFormProps, 'isSearching' | 'onStop'> {
  readonly onSearch: (search: ProxySearch) => void
}

const place = 'querent proxy form'

export function ProxyForm({ onSearch, ...props }: ProxyFormProps) {
  const [form, setForm] = useState<ProxySearch>(() => ({ text: '', history: [], ...kept() }))
  const change = (part: Partial<ProxySearch>): void => setForm({ ...form, ...part })
  const { text, index, fields } = form
  return (
    <QueryForm
      {...{ ...form, ...props }}
      placeholder="Search through the proxy …"
      onType={change}
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
          onInput={({ currentTarget: { value } }) => change({ index: value.trim() })}
        />
      </label>
      <label>
        Fields
        <input
          value={fields}
          required
          onInput={({ currentTarget: { value } }) => change({ fields: value })}
        />
      </label>
    </QueryForm>
  )
}

function kept(): Pick<ProxySearch, 'index' | 'fields'> {
  const { index = '', fields = 'title, text' } = Object(readKept(place))
  return { index: String(index), fields: String(fields) }
}
