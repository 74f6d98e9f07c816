/** HTML that cannot be injected into: every value put into the template is escaped, unless it came out of it. */

/** Markup that is safe to put into a page: made by `html`, or text of ours such as the style sheet and the plots. */
export interface Html {
  readonly markup: string
}

type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A tagged template. `undefined` gives nothing, an array its items one after the other. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: strings.reduce((page, string, index) => page + toMarkup(values[index - 1]) + string) }
}

/** Text as it may stand in an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character]!)
}

/** Control characters are errors in HTML, even as entities. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')
}

function toMarkup(value: HtmlValue): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map(toMarkup).join('')
}
