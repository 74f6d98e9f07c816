/** A text on one line, for people: its first words where it is longer than that many characters. */
export function clip(text: string, longest = 120): string {
  // Of a book only its beginning is looked at.
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= longest) return line
  const space = line.lastIndexOf(' ', longest)
  return `${line.slice(0, space > 0 ? space : longest)} …`
}
