/**
 * What the caller wrote, as reasons quote it: between backticks, short and on one line. Metrics leave it out, since each label of
 * theirs costs memory.
 */
export const quoted = (text: unknown): string =>
  `\`${String(text)
    .replace(/[`\s]+/g, ' ')
    .slice(0, 60)}\``
