/** Reasons where each distinct one costs memory, and where no text of a caller may stand. */

/** A reason without what the caller wrote, which stands between backticks, and without numbers but the status of an answer. */
export const plainReason = (reason: string): string =>
  reason.replace(/`[^`]*`?|(?<!answered )\b\d+\b/g, '…').slice(0, 120)
