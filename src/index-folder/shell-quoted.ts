/** A path as it can be pasted into a shell: in quotes where it holds more than harmless characters. */
export function shellQuoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
