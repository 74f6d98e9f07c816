/** HTML templates that are safe against injection: every value is escaped, unless the template made it. */

import { withoutControls } from '../../text/controls.ts'

/** Markup that is safe to insert: from `html`, or trusted text such as the style sheet and the plots. */
export interface Html {
  readonly markup: string
}

type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template tag. `undefined` and `false` give an empty string, an array the concatenation of its items. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: strings.reduce((page, string, index) => page + toMarkup(values[index - 1]) + string) }
}

/** Escapes text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return withoutControls(text).replace(/[&<>"']/g, (character) => entities[character]!)
}

function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  if ('markup' in value) return value.markup
  return value.map(toMarkup).join('')
}
