/** The two parts of a request's URL, as the engines read them. */

export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

/** Its parameters: `;` stands between them as `&` does, and `+` is a blank. */
export function parametersOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1).replaceAll(';', '&'))
}
