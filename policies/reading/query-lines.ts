/** Queries and sub-questions as models write them: a line each. */

/** The maximum number of words of a query; the rest is cut. */
const longestQuery = 100

/** The line with single blanks, cut to 100 words. */
export const asQuery = (line: string): string => line.trim().split(/\s+/).slice(0, longestQuery).join(' ')

/** A line without the mark of a list that models put in front: "-", "2." */
export const withoutMark = (line: string): string => line.replace(/^(?:[-*•]|\d{1,2}[.)])(?:\s+|$)/, '')
