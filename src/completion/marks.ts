/** Marks of documents in answers, as models write them: "[3, 5]", "[2-4]", "[Document 1]", "【2】". */

const marks =
  /( ?)[[【]\s?((?:documents? )?\d{1,3}(?:(?:\s?[,;–-]\s?| and )(?:documents? )?\d{1,3}){0,30})(?:†[^\]】]{0,40})?\s?[\]】]/gi

/** The beginning of a mark at the end of a text. */
export const openMark = / ?[[【][\w\s,;–†-]{0,200}$/

/**
 * The text with marks such as `[3] [5]`, without those of documents that do not exist.
 *
 * @param count how many documents there are
 * @param placeOf what stands for a number. Default: the number itself
 */
export const withMarks = (
  text: string,
  count: number,
  placeOf: (number: number) => number = (number) => number,
): string =>
  text
    .replace(marks, (_, blank: string, listed: string) => {
      const numbers = listed.split(/[,;]| and /i).flatMap((part) => {
        const [from = 0, to = from] = (part.match(/\d+/g) ?? []).map(Number)
        return Array.from({ length: Math.max(0, Math.min(to, count) - from + 1) }, (_, place) => from + place)
      })
      const known = numbers.filter((number) => number >= 1 && number <= count)
      return known.length === 0 ? '' : blank + known.map((number) => `[${placeOf(number)}]`).join(' ')
    })
    .trim()
