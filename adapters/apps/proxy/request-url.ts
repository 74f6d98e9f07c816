/** The path and the parameters of a request's URL, parsed as the engines do. */

export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? url : url.slice(0, mark)
}

/** The parameters: `;` separates them as `&` does, and `+` is a space. */
export function parametersOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1).replaceAll(';', '&'))
}
