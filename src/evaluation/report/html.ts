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

function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return withoutControls(value).replace(/[&<>"']/g, (one) => entities[one]!)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(toMarkup).join('')
}
