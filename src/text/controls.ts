/** Characters that are commands to what shows a text: they may come from documents, models, engines and file names. */

/** Replaces control characters, which are invalid in HTML even as entities. Tabs and line breaks stay. */
export const withoutControls = (text: string): string => text.replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd')

/** The same for a terminal, which also obeys a carriage return and marks that turn the direction of what follows. */
export const forTerminal = (text: string): string =>
  withoutControls(text).replace(/\r(?!\n)|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')

/** The same JSON, with these characters as escapes. */
export const escapedInJson = (json: string): string =>
  json.replace(
    /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
