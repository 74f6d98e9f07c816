/** The two parts of a request’s URL, as the engines read them. */

export const pathOf = (url: string): string => url.split('?', 1)[0]!

/** Its parameters: `;` stands between them as `&` does, and `+` is a blank. */
export function parametersOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1).replaceAll(';', '&'))
}
