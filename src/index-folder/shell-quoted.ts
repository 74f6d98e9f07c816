/** Quotes a path for a shell if it contains special characters. */
export function shellQuoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
