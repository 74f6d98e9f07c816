/** Takes a search elsewhere: its address, a command that sends it, and everything that the server answered. */
import { useState } from 'preact/hooks'
import type { SearchView } from './view.ts'

export function Copy({ view, curl }: { readonly view: SearchView; readonly curl?: string | undefined }) {
  const [copied, setCopied] = useState<string>()
  const { hits, answer, citations, answerable, partial, failedPrompts, trace } = view
  const answered = { hits, answer, citations, answerable, partial, failedPrompts, trace }
  const all = [
    ['Copy link', () => location.href],
    ...(curl === undefined ? [] : [['curl', () => curl] as const]),
    ['JSON', () => JSON.stringify(answered, null, 2)],
  ] as const
  async function copy(name: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(name)
      setTimeout(() => setCopied((now) => (now === name ? undefined : now)), 2000)
    } catch {
      // Where the page is not secure, browsers have no clipboard.
      prompt('Copy this:', text)
    }
  }
  return (
    <div class="copy">
      {all.map(([name, textOf]) => (
        <button key={name} type="button" onClick={() => void copy(name, textOf())}>
          {copied === name ? '✓ copied' : name}
        </button>
      ))}
      <span class="hidden" role="status">
        {copied !== undefined && 'Copied'}
      </span>
    </div>
  )
}
