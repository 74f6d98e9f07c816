/**
 * Whether a name matches a pattern with `*`, by the rules of engines. The time is at most the pattern's length times the name's.
 */
export function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (!name.startsWith(first)) return false
  const last = parts.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
