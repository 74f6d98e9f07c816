const line = '*'.repeat(78)

/** Lines that nobody should overlook. */
export const framed = (...lines: readonly string[]): string[] => [line, ...lines, line]
